import { existsSync } from "node:fs";
import { readBrand, type Brand } from "../kernel/brand.ts";

const known = new Map<string, Promise<Brand>>();

/** The brand of this deployment, validated when it is first read; an unknown key is a setting that is wrong. */
export function brandOf(key: string): Promise<Brand> {
  let brand = known.get(key);
  if (!brand) {
    const file = new URL(`../../brands/${key}.ts`, import.meta.url);
    if (!/^[a-z0-9]{3,20}$/.test(key) || !existsSync(file)) throw new Error(`BRAND names no brand: ${key}`);
    brand = import(file.href).then((m: { brand: unknown }) => readBrand(m.brand));
    known.set(key, brand);
  }
  return brand;
}
