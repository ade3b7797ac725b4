import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { disableChannel } from "./channel.contract.ts";

/** Switches a channel off, and asks what becomes of the rooms that stand there. */
export const DisableForm = ({
  channel: c,
  onClose,
}: {
  channel: { id: number; name: string; online: number; version: number };
  onClose: () => void;
}) => (
  <FormDialog
    call={disableChannel}
    params={{ id: c.id }}
    title={`停用 ${c.name}`}
    ok="停用"
    done="已停用"
    label={144}
    initial={{ version: c.version, withdraw: true }}
    fields={[{ key: "withdraw", title: `同时下架 ${c.online} 套房源` }]}
    onClose={onClose}
  />
);
