import type { Reply } from "../../../platform/kernel/call.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { addAccount, editAccount, type listAccounts } from "../../party/account/account.contract.ts";

type Account = Reply<typeof listAccounts>[number];

const FIELDS = (number?: string) =>
  [
    "holder",
    "bank",
    "branch",
    { key: "number", ...(number && { placeholder: `${number}，不修改请留空` }) },
    "isDefault",
  ] as const;

/** 新增银行账户 and 编辑银行账户. */
export function AccountForm(p: {
  party: { id: number; name: string };
  account?: Account | undefined;
  onClose: () => void;
}) {
  const { party, account } = p;
  if (!account)
    return (
      <FormDialog
        call={addAccount}
        title="新增银行账户"
        done="账户已新增"
        initial={{ partyId: party.id, holder: party.name }}
        fields={FIELDS()}
        onClose={p.onClose}
      />
    );
  const { number, ...rest } = account;
  return (
    <FormDialog
      call={editAccount}
      title="编辑银行账户"
      done="账户已保存"
      params={{ id: account.id }}
      initial={rest}
      fields={FIELDS(number)}
      onClose={p.onClose}
    />
  );
}
