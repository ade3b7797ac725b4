import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { today } from "../../../platform/console/session/operator.ts";
import { monthOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { PapersInput } from "../flow-list/payment.form.tsx";
import { shareOf, type Terms, termsRefusal } from "./share.rules.ts";
import { addPartner, addTerms, editPartner, type PartnerRow } from "./third-party.contract.ts";

type Added = Body<typeof addPartner>;
type Termed = Body<typeof addTerms>;
type Typed = Partial<Pick<Added, "shareMode" | "percent" | "amount" | "bands">>;
type Band = NonNullable<Added["bands"]>[number];

const EXAMPLE = 500_000;
const START: Typed & { taxRate: string } = { shareMode: "percent", taxRate: "0", bands: [] };
const byPercent = (v: Typed) => v.shareMode === "percent" || v.shareMode === "minPlusPercent";
const byAmount = (v: Typed) => v.shareMode === "fixed" || v.shareMode === "minPlusPercent";

/** What 5,000.00 would be shared as, by the terms as they stand. */
function Example({ typed }: { typed: Typed }) {
  const bands = (typed.bands ?? []).map((band) => ({ ...band, upTo: band.upTo ?? null }));
  const terms = { ...typed, bands } as Terms;
  const percents = [typed.percent ?? "0", ...bands.map((band) => band.percent ?? "")];
  const right = !termsRefusal(terms) && percents.every((text) => /^\d{1,3}(\.\d{1,2})?$/.test(text));
  return (
    <p role="status" className="sub">
      {right
        ? `对方收入 ${yuan(EXAMPLE)} 时：${shareOf(terms, EXAMPLE).formula}`
        : "条款填好后，这里按对方收入 5,000.00 举例"}
    </p>
  );
}

/** The fields of terms, the same for a new partner and for a change. */
const termsOf = <V extends Typed>(form: FormState<V>) =>
  [
    "shareMode",
    { key: "percent", must: true, when: byPercent, placeholder: "如 60" },
    { key: "amount", must: true, when: byAmount },
    {
      show: (v: Typed) =>
        v.shareMode === "tiered" && (
          <Lines<V, Band>
            form={form}
            name="bands"
            heads={["收入至（元，最后一档不填）", "比例（%）"]}
            fields={["upTo", "percent"]}
            blank={{}}
            add="添加档位"
            most={10}
          />
        ),
    },
    "taxRate",
    { show: (v: Typed) => <Example typed={v} /> },
  ] as unknown as readonly Field<V>[];

/** 新增合作方, and its agreement as it stands. */
export const PartnerForm = ({ of, onClose }: { of?: PartnerRow; onClose: () => void }) =>
  of ? (
    <FormDrawer
      call={editPartner}
      title={`编辑 ${of.name}`}
      done="已保存"
      width={640}
      params={{ id: of.id }}
      initial={{ ...of, fileIds: [] }}
      onClose={onClose}
      fields={[
        "name",
        "kind",
        { key: "villageIds", input: (p) => <VillagesInput {...p} /> },
        "startDate",
        { key: "endDate", placeholder: "长期" },
        "contact",
        { key: "fileIds", title: "补充协议", input: (p) => <PapersInput {...p} /> },
      ]}
    />
  ) : (
    <FormDrawer
      call={addPartner}
      title="新增合作方"
      done="合作方已新增"
      width={640}
      initial={{ ...START, startDate: today() }}
      onClose={onClose}
      fields={(_set, form) => [
        { section: "合作方" },
        "name",
        "kind",
        { key: "villageIds", input: (p) => <VillagesInput {...p} /> },
        "startDate",
        { key: "endDate", placeholder: "长期" },
        "contact",
        { key: "fileIds", input: (p) => <PapersInput {...p} /> },
        { section: "分成条款" },
        ...termsOf(form),
      ]}
    />
  );

/** 变更条款: from a month on; drafts of these months are shared anew. */
export const TermsForm = ({ of, onClose }: { of: PartnerRow; onClose: () => void }) => (
  <FormDrawer
    call={addTerms}
    title={`变更条款 ${of.name}`}
    ok="保存"
    width={640}
    params={{ id: of.id }}
    initial={{ ...START, fromMonth: monthOf(today()), version: of.version } as Partial<Termed>}
    onDone={({ redone }) => toast(redone ? `条款已变更，已按新条款重算 ${redone} 笔草稿` : "条款已变更")}
    onClose={onClose}
    note={() => "已确认的月份保持原条款"}
    fields={(_set, form) => ["fromMonth", ...termsOf(form)]}
  />
);
