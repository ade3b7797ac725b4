import { yuan } from "../../../platform/kernel/fen.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import { staleSteps } from "../terms/stale.rules.ts";
import type { Draft } from "./draft.form.tsx";
import { keptSteps, outdatedRows, recomputedSteps } from "./rise.rules.ts";

/** The rent has changed since rents were set by hand: whether those still hold is asked, never guessed. */
export function RiseStale({ draft: { form, patch }, input }: { draft: Draft; input: ScheduleInput }) {
  const stale = staleSteps(form.steps, input).map((i) => form.steps[i]!);
  const outdated = outdatedRows(form, input);
  if (!stale.length && !outdated) return null;
  const [one] = stale;
  return (
    <div className="cf__stale row wrap fs-13" role="alert">
      <p>
        {one && !outdated
          ? `月租金已改。${stale.map((s) => `${s.fromDate} 起 ${yuan(s.resultRent)} 元`).join("、")}是按原月租金 ${yuan(one.firstRent!)} 元手工填写的，请确认是否保留。`
          : "下列租金是按原来的月租金或租期算出的，与递增规则现在的结果不一致，请确认是否保留。"}
      </p>
      <Button size="sm" run={() => patch(keptSteps(form, input))}>
        {outdated ? "保留原租金" : "保留手工租金"}
      </Button>
      <Button size="sm" look="main" run={() => patch(recomputedSteps(form, input))}>
        {outdated ? "按规则重算" : "按新租金重算"}
      </Button>
    </div>
  );
}
