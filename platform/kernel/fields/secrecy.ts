import type { z } from "zod";
import { maskBank, maskCertificate, maskPhone } from "../texts/mask.ts";

/** What must not be written down or shown whole: a key (password, code, token …) not at all, a number of a person masked. */
export type Secrecy = "key" | "certificate" | "bank" | "phone";

const MASKS = { certificate: maskCertificate, bank: maskBank, phone: maskPhone };

/** A value as a log may keep it; applying it again changes nothing. Only texts are numbers of a person. */
export const kept = (secrecy: Secrecy, value: unknown): unknown =>
  secrecy === "key" ? "***" : typeof value === "string" ? MASKS[secrecy](value) : value;

const NAMES: readonly (readonly [Secrecy, RegExp])[] = [
  ["key", /password|token|secret|captcha|imagecode|credential|privatekey|publickey|apiv3key|serialno/i],
  ["certificate", /certno|idcard|证件号|身份证/i],
  [
    "bank",
    /bankno|bankaccount(?!id)|accountno|cardno|payeeaccount|payeraccount|银行账号|银行卡|[收付]款账号/i,
  ],
  ["phone", /phone|mobile/i],
];
/** By its name alone, for values without a schema: what a call does not know, and notes of the business log. */
export const secrecyOfName = (name: string): Secrecy | undefined =>
  NAMES.find(([, pattern]) => pattern.test(name))?.[0];

/** What a note of the business log may hold: its words as they are, but neither keys nor whole numbers of certificates and cards. */
export function noted(value: unknown, name = ""): unknown {
  const secrecy = secrecyOfName(name);
  if (typeof value === "string") return secrecy && secrecy !== "phone" ? kept(secrecy, value) : value;
  if (Array.isArray(value)) return value.map((item) => noted(item, name));
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, noted(inner, key)]));
  return value;
}

type Def = {
  shape?: Record<string, z.ZodType>;
  options?: z.ZodType[];
  items?: z.ZodType[];
  getter?: () => z.ZodType;
} & Partial<Record<"innerType" | "in" | "out" | "element" | "valueType" | "left" | "right", z.ZodType>>;
const INNER = ["innerType", "in", "out", "element", "valueType", "left", "right"] as const;

/** Calls `see` with every schema inside a schema and the name of the field it stands in. */
export function eachField(schema: z.ZodType | undefined, see: (name: string, at: z.ZodType) => void): void {
  const seen = new Set<z.ZodType>();
  const walk = (at: z.ZodType, name: string) => {
    see(name, at);
    if (seen.has(at)) return;
    seen.add(at);
    const def = at.def as Def;
    for (const [key, inner] of Object.entries(def.shape ?? {})) walk(inner, key);
    const inside = [
      ...INNER.map((key) => def[key]),
      ...(def.options ?? []),
      ...(def.items ?? []),
      def.getter?.(),
    ];
    for (const inner of inside) if (inner?.def) walk(inner, name);
  };
  if (schema) walk(schema, "");
}

export type Secrets = ReadonlyMap<string, Secrecy>;
const known = new WeakMap<z.ZodType, Secrets>();

/** The secret fields of a schema by name, as their kinds say. */
export function secretsOf(schema: z.ZodType | undefined): Secrets {
  if (!schema) return new Map();
  const found = known.get(schema);
  if (found) return found;
  const secrets = new Map<string, Secrecy>();
  eachField(schema, (name, at) => {
    const meta = at.meta() as { secrecy?: Secrecy; kind?: string } | undefined;
    const secrecy = meta?.secrecy ?? (meta?.kind === "phone" ? "phone" : undefined);
    if (secrecy) secrets.set(name, secrecy);
  });
  known.set(schema, secrets);
  return secrets;
}
