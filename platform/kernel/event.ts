import type { z, ZodType } from "zod";

/**
 * Something that has happened, told in the transaction it happened in and heard at least once after the commit. It is
 * declared beside the calls of the noun it is about, or where it is heard when that stands further left.
 */
export type Event<P extends ZodType = ZodType> = {
  name: string;
  payload: P;
  /** Nobody listens yet: who will. */
  waitsFor: string | undefined;
};

export const event = <P extends ZodType>(
  name: string,
  payload: P,
  more: { waitsFor?: string } = {},
): Event<P> => ({ name, payload, waitsFor: more.waitsFor });

export type Payload<E> = E extends Event<infer P> ? z.input<P> : never;
