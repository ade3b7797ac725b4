import { z, type ZodType } from "zod";

export type Row<S extends ZodType> = {
  shape: S;
  must: string;
  about: string;
  fallback?: string;
  secret?: boolean;
};

/** A setting that has a value even when nobody sets it. */
export const set = <S extends ZodType>(fallback: string, shape: S, must: string, about: string): Row<S> => ({
  shape,
  must,
  about,
  fallback,
});
export const option = <S extends ZodType>(shape: S, must: string, about: string) => ({
  shape: shape.optional(),
  must,
  about,
});
/** A setting whose value never appears in a message. */
export const secret = <S extends ZodType>(shape: S, must: string, about: string) => ({
  ...option(shape, must, about),
  secret: true,
});

export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const word = z.string().min(1);
export const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
/** The origin of an address, and nothing behind it. */
export const origin = webAddress
  .refine((url) => new URL(url).origin === url.toLowerCase())
  .transform((url) => url.toLowerCase());
export const isLocal = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);
