import type { Block } from "./block.rules.ts";

export const AGREEMENTS = {
  user: "用户协议",
  privacy: "隐私政策",
  lease: "租赁须知",
  member: "会员协议",
} as const;
export type AgreementType = keyof typeof AGREEMENTS;
export const AGREEMENT_TYPES = Object.keys(AGREEMENTS) as [AgreementType, ...AgreementType[]];

export const MAINTAINED = "协议内容维护中";

export type Heading = { id: string; text: string; level: 1 | 2 };

/** The table of contents: each heading with the anchor that its place in the text carries. */
export const contentsOf = (blocks: readonly Block[]): Heading[] =>
  blocks.flatMap((block, at) =>
    block.kind === "heading" ? [{ id: anchorOf(at), text: block.text, level: block.level }] : [],
  );
export const anchorOf = (at: number): string => `s${at + 1}`;

/** The version that holds on a day: the newest whose day has come. */
export const holding = <V extends { number: number; effectiveDay: string | null }>(
  versions: readonly V[],
  today: string,
): V | undefined =>
  versions
    .filter((v) => v.effectiveDay !== null && v.effectiveDay <= today)
    .reduce<V | undefined>((best, v) => (!best || v.number > best.number ? v : best), undefined);
