import { addDays, dayInZone } from "../../../platform/kernel/day.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { Row } from "./columns.panel.tsx";
import { addFollow } from "./owing.contract.ts";

/** What a debtor promised. Until then nobody is reminded. */
export const FollowForm = ({ party, onClose }: { party: Row; onClose: () => void }) => (
  <FormDialog
    call={addFollow}
    title={`登记跟进：${party.partyName ?? ""}`}
    params={{ partyId: party.id }}
    initial={{ promiseDay: addDays(dayInZone(new Date()), 3) }}
    ok="保存"
    done="跟进已登记"
    onClose={onClose}
    fields={["promiseDay", { key: "note", wide: true }]}
    note={({ promiseDay }) =>
      promiseDay ? `${promiseDay} 之前不再提醒` : "未填写承诺付款日，按规则照常提醒"
    }
  />
);
