import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { OptionSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";
import {
  type SettleRow,
  getSettlement,
  payeeAccounts,
  savePayee,
} from "../settlement/settlement.contract.ts";

/** Whose account the refund goes to, as far as it may be shown. */
export const payeeShown = ({ payee }: Pick<Reply<typeof getSettlement>, "payee">) =>
  payee
    ? [
        `${payee.holder} ${payee.bank} ${payee.number}`,
        payee.relation && `（${payee.relation}）`,
        payee.byTenant && "，租客填写",
      ]
        .filter(Boolean)
        .join("")
    : "未登记";

/** 收款账户 of the refund: one that the tenant has, or one that is typed and kept with the tenant. */
export function PayeeForm({ of, onClose }: { of: SettleRow; onClose: () => void }) {
  const params = { id: of.id };
  const { data: settlement } = useQuery(ask(getSettlement, { params }));
  const { data: accounts } = useQuery(ask(payeeAccounts, { params }));
  if (!settlement || !accounts) return null;
  const { payee } = settlement;
  const known = accounts.map(({ id, label }) => ({ value: id, label }));
  const typed = { must: true, when: (v: { accountId?: number | null | undefined }) => !v.accountId };
  return (
    <FormDialog
      call={savePayee}
      title={`收款账户 ${of.actNo}`}
      ok="保存"
      done="已登记收款账户"
      params={params}
      initial={{
        ...(payee
          ? { accountId: payee.accountId, relation: payee.relation }
          : known[0]
            ? { accountId: known[0].value }
            : { holder: of.partyName }),
        version: payee?.version ?? 0,
      }}
      onClose={onClose}
      width={520}
      fields={[
        {
          key: "accountId",
          when: () => known.length > 0,
          input: (p) => <OptionSelect {...p} options={known} placeholder="另填一个账户" clear />,
          help: "清空后可以另填一个账户，保存后也登记在租客名下",
        },
        { key: "holder", ...typed },
        { key: "bank", ...typed },
        { key: "number", ...typed },
        { key: "relation", help: "收款人不是租客本人时填写，并上传证明" },
        {
          key: "fileIds",
          input: (p) => (
            <PapersInput {...p} call={UPLOADS.paper10M} hint="委托书、关系证明等，图片或PDF，最多9个" />
          ),
        },
      ]}
    />
  );
}
