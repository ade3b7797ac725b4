import { NONE, StatusTag } from "../../../platform/console/parts/tag.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Better } from "../budget-indicator/source.rules.ts";
import { toneOf } from "../budget-indicator/value.rules.ts";

/** How much of a budget is reached, in the colour of how good that is. */
export const Reached = ({ share, better }: { share: number | null; better: Better }) =>
  share === null ? (
    NONE
  ) : (
    <StatusTag tone={toneOf(share, better)} dot={false}>
      {percentOf(share)}
    </StatusTag>
  );

export const percentOf = (share: number): string => `${yuan(Math.round(share * 10_000))}%`;
