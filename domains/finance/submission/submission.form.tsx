import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { today } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";
import { AccountChoice } from "../account/account.form.tsx";
import { addSubmission, MOST_ITEMS, submissionAccounts, takingItems } from "./submission.contract.ts";
import { ITEM } from "./submission.rules.ts";

type Typed = Body<typeof addSubmission>;
type Setting = (path: string, value: unknown) => void;
export type Start = Partial<Pick<Typed, "villageId" | "kind" | "fromAccountId" | "bankDay">>;

const useAccounts = (villageId: number | undefined) =>
  useQuery({
    ...ask(submissionAccounts, { query: { villageId: villageId ?? 0 } }),
    enabled: villageId !== undefined,
  });

type AccountProps = InputProps<number> & { now: Partial<Typed> };

/** The cash box or POS account; where there is one, it is taken. */
function FromSelect({ now, value, onChange, ...rest }: AccountProps) {
  const { data, isFetching } = useAccounts(now.villageId);
  const of = (data?.from ?? []).filter((a) => a.kind === now.kind);
  const wanted = of.some((a) => a.id === value) ? value : of.length === 1 ? of[0]!.id : undefined;
  useEffect(() => {
    if (data && wanted !== value) onChange(wanted);
  });
  return (
    <AccountChoice
      {...rest}
      {...{ value, onChange, of }}
      why={() => undefined}
      none={
        now.villageId === undefined
          ? "请先选择门店"
          : now.kind === "pos"
            ? "该门店没有按缴款结算的POS账户"
            : "该门店没有现金账户"
      }
      asks={data !== undefined}
      loading={isFetching}
    />
  );
}

/** The bank account, the usual one first. */
function ToSelect({ now, value, onChange, ...rest }: AccountProps) {
  const { data, isFetching } = useAccounts(now.villageId);
  const of = data?.to ?? [];
  const usual = data?.from.find((a) => a.id === now.fromAccountId)?.usual;
  const wanted = of.some((a) => a.id === value)
    ? value
    : (of.find((a) => a.id === usual)?.id ?? (of.length === 1 ? of[0]!.id : undefined));
  useEffect(() => {
    if (data && wanted !== value) onChange(wanted);
  });
  return (
    <AccountChoice
      {...rest}
      {...{ value, onChange, of }}
      why={() => undefined}
      none={now.villageId === undefined ? "请先选择门店" : "没有可转入的银行账户"}
      asks={data !== undefined}
      loading={isFetching}
    />
  );
}

type Found = Reply<typeof takingItems>;
const keyOf = ({ what, ref }: Found["items"][number]) => `${what} ${ref}`;

/** What was taken on the day and not handed over: all of it is ticked, what is not stays listed. */
function Items({ now, set }: { now: Partial<Typed>; set: Setting }) {
  const [andBefore, setAndBefore] = useState(false);
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const { villageId, fromAccountId, bankDay } = now;
  const known = villageId !== undefined && fromAccountId !== undefined && bankDay !== undefined;
  const { data, error, refetch, isFetching } = useQuery({
    ...ask(takingItems, {
      query: {
        villageId: villageId ?? 0,
        fromAccountId: fromAccountId ?? 0,
        bankDay: bankDay ?? "",
        ...(andBefore && { andBefore: "true" as const }),
      },
    }),
    enabled: known,
    staleTime: 0,
  });
  const items = known ? (data?.items ?? []) : [];
  const on = items.filter((item) => !off.has(keyOf(item)));
  const marked = `${data?.inBox ?? ""} ${on.map((item) => `${keyOf(item)} ${item.amount}`).join()}`;
  useEffect(() => {
    const sum = on.reduce((fen, item) => fen + item.amount, 0);
    for (const [key, what] of [
      ["flowIds", "flow"],
      ["keptIds", "kept"],
      ["repaidIds", "repaid"],
    ] as const)
      set(
        key,
        on.filter((item) => item.what === what).map((item) => item.ref),
      );
    set("expected", sum || undefined);
    set("submitted", Math.min(sum, Math.max(0, data?.inBox ?? sum)) || undefined);
    // the form follows what is ticked, and nothing else of it
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [marked]);
  const toggle = (key: string, ticked: boolean) => {
    const next = new Set(off);
    if (ticked) next.delete(key);
    else next.add(key);
    setOff(next);
  };
  if (!known) return <p className="dim fs-13">选择门店、账户和归属日后列出未缴的款项</p>;
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <div className="stack gap-4" aria-busy={isFetching}>
      <div className="row wrap between fs-13">
        <Tick checked={andBefore} onChange={setAndBefore}>
          包含此前未缴的款项
        </Tick>
        {data.inBox !== null && (
          <span className="sub">
            账面现金 <Money fen={data.inBox} />
          </span>
        )}
      </div>
      {items.length ? (
        <div className="scroll-x">
          <table className="tbl tbl--flat">
            <Heads of={["缴", "日期", "来源", "单号", "客户", ["应缴", "num"]]} />
            <tbody>
              {items.map((item) => (
                <tr key={keyOf(item)}>
                  <td>
                    <Tick
                      checked={!off.has(keyOf(item))}
                      label={`缴 ${item.number}`}
                      onChange={(ticked) => toggle(keyOf(item), ticked)}
                    />
                  </td>
                  <td>{item.day}</td>
                  <td>{ITEM[item.what][0]}</td>
                  <td>{item.number}</td>
                  <td>{item.partyName || "—"}</td>
                  <td className="num">
                    <Money fen={item.amount} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <Empty text={andBefore ? "没有未缴的款项" : "这一天没有未缴的款项"} />
      )}
      {data.more && <p className="warned">款项超过 {MOST_ITEMS} 笔，请分次缴款</p>}
    </div>
  );
}

const less = (now: Partial<Typed>) => (now.submitted ?? 0) < (now.expected ?? 0);

/** 新建缴款: what was taken on a day goes to the bank, with its slip. */
export const SubmissionForm = ({ start = {}, onClose }: { start?: Start; onClose: () => void }) => (
  <FormDrawer
    call={addSubmission}
    title="新建缴款"
    ok="缴款"
    done="已缴款，等待到账"
    width={720}
    label={104}
    initial={{ kind: "cash", bankDay: today(), ...start }}
    onClose={onClose}
    note={(now) =>
      now.expected
        ? `应缴 ${yuan(now.expected)} 元${less(now) ? `，留存 ${yuan(now.expected - (now.submitted ?? 0))} 元` : ""}`
        : ""
    }
    fields={(set) => [
      { section: "款项" },
      { key: "villageId", input: (p) => <VillageSelect {...p} /> },
      "kind",
      { key: "fromAccountId", input: (p, now) => <FromSelect {...p} now={now} /> },
      "bankDay",
      { show: (now) => <Items now={now} set={set} /> },
      { section: "缴款" },
      { key: "submitted", help: "少缴的部分留在现金箱里，仍列在未缴款中" },
      { key: "keptReason", must: true, when: less },
      { key: "toAccountId", input: (p, now) => <ToSelect {...p} now={now} /> },
      {
        key: "pictures",
        title: "凭条照片",
        must: true,
        when: (now: Partial<Typed>) => now.kind === "cash",
        input: (p) => (
          <PapersInput {...p} call={UPLOADS.image10M} accept=".jpg,.jpeg,.png" hint="jpg、png，不超过 10M" />
        ),
      },
      "slipNo",
      "remark",
    ]}
  />
);
