import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { today } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { askSwapped } from "../successor/successor.contract.ts";
import { Basis, EFFECTIVE } from "./moving.form.tsx";

type Asked = Body<typeof askSwapped>;

/** 对调: two tenants take each other's room on one day; both drafts are looked at, handed in and confirmed together. */
export const SwapForm = ({
  onAsked,
  onClose,
}: {
  onAsked: (of: Reply<typeof askSwapped>) => void;
  onClose: () => void;
}) => (
  <FormDrawer
    call={askSwapped}
    title="新增对调"
    ok="下一步：试算"
    done="已登记，请核对双方试算"
    onDone={onAsked}
    onClose={onClose}
    cols={2}
    width={880}
    initial={{ effectiveOn: today(), deposit: "carry", rest: "refund", credit: "carry" }}
    fields={[
      { section: "甲合同" },
      {
        key: "contractId",
        wide: true,
        input: (p) => <RecordSelect {...p} source={EFFECTIVE} placeholder="合同号、租客或房间" />,
      },
      { show: (now) => <Basis contractId={now.contractId} kind="room" /> },
      { section: "乙合同" },
      {
        key: "otherId",
        wide: true,
        input: (p) => <RecordSelect {...p} source={EFFECTIVE} placeholder="合同号、租客或房间" />,
      },
      { show: (now) => <Basis contractId={now.otherId} kind="room" /> },
      { section: "对调" },
      { key: "effectiveOn", help: "双方的新合同都从这一天起算，须在今天前7天至后30天内" },
      "reason",
      { key: "monthlyRent", placeholder: "不填按乙房间标价", help: "甲合同租客在乙房间的月租" },
      { key: "otherRent", placeholder: "不填按甲房间标价", help: "乙合同租客在甲房间的月租" },
      { section: "款项" },
      "deposit",
      { key: "rest", when: (now: Partial<Asked>) => now.deposit === "carry" },
      "credit",
    ]}
  />
);
