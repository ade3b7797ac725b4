import { useState, type ReactNode } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { send } from "../../../platform/console/calls/request.ts";
import {
  deleteAccount,
  disableAccount,
  enableAccount,
  getAccount,
  type accountRow,
  editAccount,
} from "./accounts.contract.ts";
import { AccountForm } from "./edit.form.tsx";
import { KeysForm } from "./keys.form.tsx";
import { keysOf } from "./keys.rules.ts";
import type { z } from "zod";

type Account = z.output<typeof accountRow>;
type Whole = Reply<typeof getAccount>;
export type AccountActs = {
  of: (account: Account) => Actions;
  /** After a new account: who may set keys is asked for them at once. */
  added: (id: number) => Promise<void>;
  layer: ReactNode;
};

const HEAD_ONLY = "公司本部的账户由可查看全部门店的人维护";
const mayKeys = () => may("#10101") && may("252.edit");

/** What can be done with an account, the same in its row and on its own page; and the form that is open for it. */
export function useAccountActs(): AccountActs {
  const act = useAct();
  const [open, setOpen] = useState<{ form: "edit" | "keys"; account: Whole }>();
  const show = async (form: "edit" | "keys", id: number) =>
    setOpen({ form, account: await send(getAccount, { params: { id } }) });
  const close = () => setOpen(undefined);
  const of = (a: Account): Actions => {
    const why = a.changeable ? undefined : HEAD_ONLY;
    const params = { id: a.id };
    const body = { version: a.version };
    return [
      { label: "修改", does: editAccount, why, run: () => show("edit", a.id) },
      keysOf(a.kind).length > 0 &&
        mayKeys() && {
          label: a.keys === "missing" ? "设置密钥" : "更换密钥",
          why,
          run: () => show("keys", a.id),
        },
      a.state === "enabled"
        ? {
            label: "停用",
            does: disableAccount,
            why,
            run: () =>
              act(
                disableAccount,
                { params, body },
                {
                  done: "已停用",
                  ask: {
                    title: `停用 ${a.name}`,
                    body: a.villages
                      ? `有 ${a.villages} 个门店正通过它收款，停用后这些门店不能再用它收款，历史流水不变。`
                      : "停用后不能再用它收款，历史流水不变。",
                    ok: "停用",
                  },
                },
              ),
          }
        : {
            label: "启用",
            does: enableAccount,
            why,
            run: () => act(enableAccount, { params, body }, { done: "已启用" }),
          },
      {
        label: "删除",
        does: deleteAccount,
        danger: true,
        why: why ?? (a.villages ? "账户已被使用，不能删除，可停用" : undefined),
        run: () =>
          act(
            deleteAccount,
            { params, query: body },
            { done: "已删除", ask: { title: "删除账户", body: `确定删除 ${a.name} 吗？` } },
          ),
      },
    ];
  };
  const layer = open && (
    <>
      {open.form === "edit" && <AccountForm account={open.account} onClose={close} />}
      {open.form === "keys" && <KeysForm account={open.account} onClose={close} />}
    </>
  );
  const added = async (id: number) => {
    if (!mayKeys()) return;
    const account = await send(getAccount, { params: { id } });
    if (keysOf(account.kind).length) setOpen({ form: "keys", account });
  };
  return { of, added, layer };
}
