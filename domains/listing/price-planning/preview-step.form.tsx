import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Failure, sentence, showFailure } from "../../../platform/console/calls/failure.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { FormAlert } from "../../../platform/console/form/form-alert.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { type FormState, bodyOf } from "../../../platform/console/form/form-state.ts";
import { MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { Pager } from "../../../platform/console/list/pager.tsx";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import {
  addChange,
  editChange,
  submitChange,
  type PlanForm,
  planForm,
  previewChange,
} from "../price-change/change.contract.ts";
import { Spread, type Line, LinesTable, PartTabs } from "../price-change/change.panel.tsx";
import { type Kept, editing, skipping } from "./planning.rules.ts";
import { type LinePart, SKIPPED_BY_HAND } from "../price-change/words.rules.ts";

/** A new price that can be typed over; what is typed counts when the field is left or Enter is pressed. */
export function PriceCell({
  line,
  which,
  onPrice,
}: {
  line: Line;
  which: "newList" | "newLowest";
  onPrice: (fen: number | undefined) => void;
}) {
  const fen = line[which];
  const [typed, setTyped] = useState<number>();
  const [open, setOpen] = useState(false);
  /** Closed by a key: the keyboard goes on at the price. */
  const [byKey, setByKey] = useState(false);
  const title = which === "newList" ? "新标价" : "新底价";
  if (fen === null || fen === undefined) return NONE;
  if (line.skipped) return <Money fen={fen} />;
  const close = (key: boolean) => {
    setOpen(false);
    setTyped(undefined);
    setByKey(key);
  };
  const finish = (key: boolean) => {
    if (typed !== undefined && !Number.isNaN(typed) && typed !== fen) onPrice(typed);
    close(key);
  };
  if (open)
    return (
      <span
        className="pc__price"
        onKeyDown={(event) => {
          if (event.key === "Enter") finish(true);
          if (event.key === "Escape") {
            event.preventDefault();
            close(true);
          }
        }}
      >
        <Typed
          label={`${line.roomName} ${title}`}
          value={typed ?? fen}
          onChange={setTyped}
          onBlur={() => finish(false)}
        />
      </span>
    );
  return (
    <span className="pc__price">
      <button type="button" className="linkish" autoFocus={byKey} onClick={() => setOpen(true)}>
        <span className="sr">
          修改 {line.roomName} {title}{" "}
        </span>
        <Money fen={fen} strong />
      </button>
      {line.edited && which === "newList" && (
        <IconButton
          icon="refresh"
          size={14}
          small
          label={`恢复 ${line.roomName} 按规则计算`}
          run={() => onPrice(undefined)}
        />
      )}
    </span>
  );
}

const Typed = ({
  label,
  value,
  onChange,
  onBlur,
}: {
  label: string;
  value: number;
  onChange: (fen: number | undefined) => void;
  onBlur: () => void;
}) => (
  <label ref={(box) => box?.querySelector("input")?.focus()}>
    <span className="sr">{label}</span>
    <MoneyInput value={value} onChange={onChange} onBlur={onBlur} />
  </label>
);

type Props = {
  form: FormState<PlanForm>;
  kept: Kept | undefined;
  onKept: (kept: Kept) => void;
  onBack: () => void;
  onDone: (id: number) => Promise<void>;
};

/** Every effect before anything is done: totals, the spread of prices, room by room; single rooms left out or priced by hand. */
export function PreviewStep({ form, kept, onKept, onBack, onDone }: Props) {
  const client = useQueryClient();
  const [part, setPart] = useState<LinePart>("all");
  const [page, setPage] = useState({ no: 1, size: 50 });
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState<"keep" | "submit">();
  const { reason: _, checked = false, ...plan } = bodyOf(planForm, form.values) as PlanForm;
  const body = { ...plan, ...(kept && { self: kept.id }), part, pageNo: page.no, pageSize: page.size };
  const { data, error, refetch, isFetching } = useQuery({
    ...ask(previewChange, { body }),
    placeholderData: keepPreviousData,
  });
  const { skip = [], edits = [] } = plan;

  const keep = async (): Promise<Kept> => {
    const sent = { ...(bodyOf(planForm, form.values) as PlanForm), hash: data!.hash };
    const done = kept
      ? await send(editChange, {
          params: { id: kept.id },
          body: { ...sent, self: kept.id, version: kept.version },
        })
      : await send(addChange, { body: sent });
    onKept(done);
    return done;
  };
  const run = async (what: "keep" | "submit") => {
    setBusy(what);
    setAlert(undefined);
    try {
      const draft = await keep();
      if (what === "keep") toast(`已存为草稿 ${draft.number}`);
      else {
        const done = await send(submitChange, { params: { id: draft.id }, body: { version: draft.version } });
        toast(done.examineNo ? `已提交审批 ${done.examineNo}` : "已提交，无需审批");
      }
      await onDone(draft.id);
    } catch (failure) {
      if (failure instanceof Failure && failure.status !== 401) setAlert(sentence(failure));
      else showFailure(failure);
      // whatever has moved is shown as it is now
      await client.invalidateQueries({ queryKey: [previewChange.path] });
    } finally {
      setBusy(undefined);
    }
  };

  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={10} />;
  const why =
    data.problems[0] ??
    (data.beyond > 0 && !checked ? `有 ${data.beyond} 间调整超过 50%，请核对后勾选“已核对”` : undefined) ??
    (isFetching ? "正在计算" : undefined);
  const count = part === "all" ? data.counts.all : data.counts[part];
  // a tick shows at once, before its price has been worked out anew
  const leftOut = (line: Line) => line.skipped && line.why !== SKIPPED_BY_HAND;
  const pick = (line: Line) => (
    <Tick
      label={`调整 ${line.roomName}`}
      checked={!leftOut(line) && !skip.includes(line.roomId)}
      disabled={leftOut(line)}
      onChange={() => form.set("skip", skipping(skip, line.roomId))}
    />
  );
  const price = (line: Line, key: "newList" | "newLowest") => (
    <PriceCell
      line={line}
      which={key}
      onPrice={(fen) =>
        form.set("edits", editing(edits, line.roomId, key === "newList" ? "list" : "lowest", fen))
      }
    />
  );
  return (
    <>
      <div className="pc__body scroll">
        <FormAlert text={alert ?? data.problems.join("；")} />
        <MoneyStrip
          items={[
            { title: "房间", show: `${data.rooms.toLocaleString("en-US")} 间，跳过 ${data.skipped} 间` },
            { title: "调整前均价", fen: data.oldAverage },
            { title: "调整后均价", fen: data.newAverage },
            { title: "月影响", fen: data.effect, help: "可租的空置房间，新标价减原标价的合计" },
          ]}
        />
        <Spread {...data.histogram} />
        <PartTabs
          part={part}
          counts={data.counts}
          onPart={(next) => {
            setPart(next);
            setPage({ ...page, no: 1 });
          }}
        />
        <LinesTable lines={data.lines} pick={pick} price={price} />
        <Pager
          pageNo={page.no}
          pageSize={page.size}
          total={count}
          set={(no, size) => setPage({ no, size })}
        />
      </div>
      <footer className="pc__foot row wrap">
        <Foot
          cancel={onBack}
          word="上一步"
          note={
            <>
              {data.products.length > 0 && (
                <Tick
                  className="pc__checked"
                  checked={plan.asProduct ?? false}
                  onChange={(on) => form.set("asProduct", on)}
                >
                  <span title={data.products.map((p) => p.name).join("、")}>
                    改产品价（{data.products.length} 个产品，
                    {data.products.reduce((sum, p) => sum + p.rooms, 0)} 间继续跟随）
                  </span>
                </Tick>
              )}
              {data.beyond > 0 && (
                <Tick className="pc__checked" checked={checked} onChange={(on) => form.set("checked", on)}>
                  已核对 {data.beyond} 间超过 50% 的调整
                </Tick>
              )}
            </>
          }
        >
          <Button busy={busy === "keep"} why={why} run={() => void run("keep")}>
            存草稿
          </Button>
          <Button look="main" busy={busy === "submit"} why={why} run={() => void run("submit")}>
            提交
          </Button>
        </Foot>
      </footer>
    </>
  );
}
