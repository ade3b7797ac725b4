import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { Drawer } from "../../../platform/console/drawer.tsx";
import { ReasonInput } from "../../../platform/console/inputs.tsx";
import { useAddress } from "../../../platform/console/page.ts";
import { ask } from "../../../platform/console/request.ts";
import type { Row } from "../../../platform/console/schema.ts";
import { RecordSelect } from "../../../platform/console/selects.tsx";
import type { Source } from "../../../platform/console/source.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import { MERGEABLE, mergeRenters, type Mergeable } from "./acts.contract.ts";
import { getRenter, listRenters } from "./renter.contract.ts";
import { CERT_TYPES, GENDERS } from "./words.rules.ts";

type Renter = Reply<typeof getRenter>;

const RENTERS: Source = {
  call: listRenters,
  option: ((r: Row<typeof listRenters>) => ({
    value: r.id,
    label: `${r.name} ${r.phone}`,
    note: r.roomName ?? r.homeVillageName,
  })) as Source["option"],
};

const joined = (...parts: (string | null)[]) => parts.filter(Boolean).join(" ");
const READ: Record<Mergeable, (r: Renter) => string> = {
  name: (r) => r.name,
  phone: (r) => r.phone,
  certificate: (r) => joined(r.certType && CERT_TYPES[r.certType][0], r.certNo),
  gender: (r) => (r.gender ? GENDERS[r.gender][0] : ""),
  birthday: (r) => r.birthday ?? "",
  email: (r) => r.email,
  work: (r) => joined(r.occupation, r.employer),
  emergency: (r) => joined(r.emergencyName, r.emergencyPhone, r.emergencyRelation),
  guardian: (r) => joined(r.guardianName, r.guardianPhone),
  source: (r) => r.sourceName,
  remark: (r) => r.remark,
};
const FIELDS = Object.keys(MERGEABLE) as Mergeable[];

const refusal = (keep: Renter, gone: Renter): string | undefined =>
  keep.id === gone.id
    ? "请选择两条不同的租客记录"
    : keep.verify === "verified" && gone.verify === "verified" && keep.certNo && gone.certNo !== keep.certNo
      ? "两条记录的证件均已核验且不一致，不能合并"
      : undefined;

/** 合并: two records of one person, the kept values chosen field by field. */
export function MergeForm(p: { keepId: number; goneId?: number | undefined; onClose: () => void }) {
  const act = useAct();
  const [, set] = useAddress();
  const [ids, setIds] = useState<{ keep: number; gone: number | undefined }>({
    keep: p.keepId,
    gone: p.goneId,
  });
  const [taken, setTaken] = useState<readonly Mergeable[]>();
  const [reason, setReason] = useState<string>();
  const kept = useQuery(ask(getRenter, { params: { id: ids.keep } }));
  const other = useQuery({
    ...ask(getRenter, { params: { id: ids.gone ?? 0 } }),
    enabled: Boolean(ids.gone),
  });
  const keep = kept.data;
  const gone = ids.gone ? other.data : undefined;
  // what the kept record lacks comes from the other, unless somebody chose otherwise
  const take = taken ?? (keep && gone ? FIELDS.filter((f) => !READ[f](keep) && READ[f](gone)) : []);
  const why = !gone
    ? "请选择被并入的记录"
    : ((keep && refusal(keep, gone)) ??
      ((reason?.trim().length ?? 0) < 2 ? "请填写原因（2-200字）" : undefined));
  const choose = (next: typeof ids) => {
    setIds(next);
    setTaken(undefined);
  };
  const merge = async () => {
    await act(
      mergeRenters,
      {
        body: {
          keepId: keep!.id,
          keepVersion: keep!.version,
          goneId: gone!.id,
          goneVersion: gone!.version,
          take: [...take],
          reason: reason!.trim(),
        },
      },
      { done: "已合并" },
    );
    p.onClose();
    set({ id: ids.keep });
  };
  return (
    <Drawer
      title="合并租客"
      width={720}
      modal
      onClose={p.onClose}
      footer={
        <>
          <Button look="main" why={why} run={merge}>
            合并
          </Button>
          <Button run={p.onClose}>取消</Button>
        </>
      }
    >
      <div className="form">
        <p className="fi--wide dim">
          被并入的记录成为别名，它的合同、账单和流水保持原样，在保留的记录下都能查到。合并后不能拆开。
        </p>
        <label className="fi fi--wide">
          <span className="fi__label fi__label--must">被并入的记录</span>
          <div className="fi__in row">
            <RecordSelect
              value={ids.gone}
              source={RENTERS}
              placeholder="按姓名、手机号、房间搜索"
              style={{ flex: 1 }}
              onChange={(id) => choose({ ...ids, gone: id })}
            />
            <Button
              icon="refresh"
              why={ids.gone ? undefined : "请选择被并入的记录"}
              run={() => choose({ keep: ids.gone!, gone: ids.keep })}
            >
              互换
            </Button>
          </div>
        </label>
        {(kept.error ?? other.error) && (
          <Broken
            error={kept.error ?? other.error}
            retry={() => Promise.all([kept.refetch(), other.refetch()])}
          />
        )}
        {!keep ? (
          <RowsSkeleton rows={4} />
        ) : (
          <Choices
            keep={keep}
            gone={gone}
            take={take}
            onChange={(field, fromGone) =>
              setTaken(fromGone ? [...take, field] : take.filter((f) => f !== field))
            }
          />
        )}
        <label className="fi fi--wide">
          <span className="fi__label fi__label--must">合并原因</span>
          <div className="fi__in">
            <ReasonInput value={reason} onChange={setReason} />
          </div>
        </label>
      </div>
    </Drawer>
  );
}

/** Field by field: the value that stays. Equal values need no choice. */
function Choices(p: {
  keep: Renter;
  gone: Renter | undefined;
  take: readonly Mergeable[];
  onChange: (field: Mergeable, fromGone: boolean) => void;
}) {
  const { keep, gone } = p;
  return (
    <div className="box fi--wide">
      <table className="tbl merge">
        <thead>
          <tr>
            <th>字段</th>
            <th>保留的记录 · {keep.homeVillageName}</th>
            <th>被并入的记录{gone && ` · ${gone.homeVillageName}`}</th>
          </tr>
        </thead>
        <tbody>
          {FIELDS.map((field) => {
            const values = [READ[field](keep), gone ? READ[field](gone) : ""];
            const chosen = p.take.includes(field) ? 1 : 0;
            const free = gone !== undefined && values[0] !== values[1] && Boolean(values[1]);
            return (
              <tr key={field}>
                <td className="dim">{MERGEABLE[field]}</td>
                {values.map((value, i) => (
                  <td key={i}>
                    <label className={free && chosen !== i ? "off" : ""}>
                      {free && (
                        <input
                          type="radio"
                          name={`take-${field}`}
                          checked={chosen === i}
                          onChange={() => p.onChange(field, i === 1)}
                        />
                      )}
                      {value || "—"}
                    </label>
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
