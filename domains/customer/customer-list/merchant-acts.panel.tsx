import type { Action, Actions } from "../../../platform/console/parts/actions.tsx";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { MergeForm } from "./firm-merge.form.tsx";
import type { Mergeable } from "../firm/words.rules.ts";
import { type CustomerActs, useCustomerActs } from "./records.panel.tsx";
import type { Compared } from "../record/merge-choices.form.tsx";
import { getMerchant, listMerchants, merchantCalls, editMerchant } from "../merchant/merchant.contract.ts";
import { MerchantForm } from "../merchant/merchant.form.tsx";

export type MerchantRow = Row<typeof listMerchants>;
type Open = { kind: "edit"; merchant: Reply<typeof getMerchant> };
export type MerchantActs = CustomerActs<MerchantRow>;

const SOURCE: Source = {
  call: listMerchants,
  option: ((m: MerchantRow) => ({
    value: m.id,
    label: `${m.name} ${m.brand || m.contactName}`,
    note: m.roomNames || m.homeVillageName,
  })) as Source["option"],
};

async function compared(id: number): Promise<Compared<Mergeable>> {
  const m = await send(getMerchant, { params: { id } });
  return {
    id: m.id,
    version: m.version,
    homeVillageName: m.homeVillageName,
    values: {
      name: m.name,
      number: m.creditCode ?? m.certNo ?? "",
      address: m.address,
      trade: m.category,
      brand: m.brand,
      legalName: m.legalName,
      remark: m.remark,
    },
  };
}

/** What can be done with a merchant, with the reason where it cannot, and the layer that an act has opened. */
export function useMerchantActs(): MerchantActs {
  const { open, setOpen, close, ...may } = useCustomerActs<MerchantRow, Open>("merchant");
  const of = (row: MerchantRow): Actions => {
    const used = row.stage === "prospect" ? undefined : "该商户有合同，不能删除";
    const all: (Action | false)[] = [
      {
        label: "编辑",
        does: editMerchant,
        run: async () =>
          setOpen({ kind: "edit", merchant: await send(getMerchant, { params: { id: row.id } }) }),
      },
      ...may.dealings(row),
      may.merging(row),
      may.removing(row, merchantCalls.remove, "删除商户", used),
    ];
    return all.filter(Boolean);
  };
  return may.acts(
    of,
    open?.kind === "edit" ? (
      <Current call={getMerchant} read={open.merchant}>
        {(merchant) => <MerchantForm merchant={merchant} onClose={close} />}
      </Current>
    ) : open ? (
      <MergeForm calls={merchantCalls} source={SOURCE} read={compared} {...open} onClose={close} />
    ) : null,
  );
}
