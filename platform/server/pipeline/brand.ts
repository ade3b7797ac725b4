import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { ASSET_CAPS, assetRefusal, readBrand, type Brand } from "../../kernel/texts/brand.ts";
import type { Settings } from "../process/settings.ts";

const FOLDER = fileURLToPath(new URL("../../../brands/", import.meta.url));
const TYPES: Record<string, string> = { svg: "image/svg+xml", png: "image/png", jpg: "image/jpeg" };
const known = new Map<string, Promise<Brand>>();

export const brandKeys = (): string[] =>
  readdirSync(FOLDER).flatMap((name) => /^([a-z0-9]+)\.ts$/.exec(name)?.[1] ?? []);

/** The brand of a request: by the host name that it came by, else the deployment's own. */
export function brandKeyFor({ BRAND, BRAND_HOSTS }: Settings, host: string): string {
  const name = host.toLowerCase().replace(/:\d+$/, "");
  // a browser says what it likes, also the name of something that every object has
  return Object.hasOwn(BRAND_HOSTS, name) ? BRAND_HOSTS[name]! : BRAND;
}

/** Where the console of a brand sends its calls; empty: to the server that served it. */
export const apiBaseOf = (
  { API_BASE, BRAND_HOSTS }: Pick<Settings, "API_BASE" | "BRAND_HOSTS">,
  { key, apiBase }: Brand,
): string => {
  if (API_BASE) return API_BASE === "self" ? "" : API_BASE;
  // a request by a host name of this server is answered by this server
  return Object.values(BRAND_HOSTS).includes(key) ? "" : apiBase;
};

/** The brand of this deployment, validated when it is first read; an unknown key is a setting that is wrong. */
export function brandOf(key: string): Promise<Brand> {
  let brand = known.get(key);
  if (!brand) {
    const file = path.join(FOLDER, `${key}.ts`);
    if (!/^[a-z0-9]{3,20}$/.test(key) || !existsSync(file)) {
      throw new Error(`BRAND names no brand: ${key}. There are ${brandKeys().join(", ")}.`);
    }
    brand = import(new URL(`../../../brands/${key}.ts`, import.meta.url).href).then((m: { brand: unknown }) =>
      readBrand(m.brand),
    );
    known.set(key, brand);
  }
  return brand;
}

/**
 * Logo, icon and background of every brand below /sams/brand/; answers which brand a host name gets, with the address that
 * its calls go to here. A brand that is not
 * valid, or whose picture is missing or unfit, stops the start, also when nobody sees it yet: it may be chosen next.
 */
export async function serveBrands(
  app: FastifyInstance,
  settings: Settings,
): Promise<(host: string) => Brand> {
  const brands = new Map<string, Brand>();
  for (const key of [settings.BRAND, ...Object.values(settings.BRAND_HOSTS), ...brandKeys()])
    if (!brands.has(key)) {
      const brand = await brandOf(key);
      brands.set(key, { ...brand, apiBase: apiBaseOf(settings, brand) });
      await serveAssets(app, brand);
    }
  return (host) => brands.get(brandKeyFor(settings, host))!;
}

async function serveAssets(app: FastifyInstance, brand: Brand): Promise<void> {
  for (const use of Object.keys(ASSET_CAPS) as (keyof typeof ASSET_CAPS)[]) {
    const name = brand[use];
    // the only picture that a brand may do without
    if (!name) continue;
    const bytes = await readFile(path.join(FOLDER, "assets", name)).catch(() => {
      throw new Error(`The brand ${brand.key} names a picture that is not there: ${name}.`);
    });
    const refusal = assetRefusal(use, name, bytes);
    if (refusal) throw new Error(`The picture ${name} of the brand ${brand.key} is not fit: ${refusal}.`);
    app.get(`/sams/brand/${name}`, { config: { rateLimit: false } }, (_request, reply) =>
      reply
        .headers({
          "content-type": TYPES[path.extname(name).slice(1)]!,
          "cache-control": "public, max-age=3600",
          "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
        })
        .send(bytes),
    );
  }
}
