import { send } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { today } from "../../../platform/console/session/operator.ts";
import type { Sent } from "../../../platform/kernel/call.ts";
import { CompanyRoomSelect, Layer, type OverGrid } from "./add.form.tsx";
import { leaveOccupants, moveOccupants } from "./occupant.contract.ts";
import { swapOf } from "./stay.rules.ts";

type Body = Sent<typeof moveOccupants>["body"];
type Move = Body["moves"][number];

/** 换房: everybody ticked to a room of their own choice, on one day. 对调 is two who take each other's. */
type MoveProps = OverGrid & {
  swap?: boolean;
  /** Where they are to go, where that was chosen already. */
  to?: number | undefined;
};
export function MoveForm({ companyId, rooms, people, swap, to, onDone, onClose }: MoveProps) {
  const form = useForm<Body>(moveOccupants.body, {
    companyId,
    day: today(),
    moves: swap ? swapOf(people).moves : people.map(({ id }) => ({ id, roomId: to }) as Move),
  });
  return (
    <Layer
      title={swap ? "对调房间" : `换房 ${people.length} 人`}
      ok="确定"
      form={form}
      note="合同和账单不变，原房间的门锁权限到前一天为止"
      send={async (body) => {
        const { moved } = await send(moveOccupants, { body });
        return `已为 ${moved} 位入住人换房`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <FormFields form={form} fields={["day"]}>
        <div className="fi--wide box">
          <table className="tbl occupants">
            <thead>
              <tr>
                <th>入住人</th>
                <th>现住</th>
                <th style={{ width: 300 }}>换到</th>
              </tr>
            </thead>
            <tbody>
              {people.map((p, i) => (
                <tr key={p.id}>
                  <td>{p.name}</td>
                  <td>{p.roomName}</td>
                  <td>
                    <OneField
                      bare
                      form={form}
                      path={`moves.${i}.roomId`}
                      more={{
                        input: (props) => (
                          <CompanyRoomSelect {...(props as InputProps<number>)} rooms={rooms} />
                        ),
                      }}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </FormFields>
    </Layer>
  );
}

/** 搬离: everybody ticked has their last day. */
export const LeaveForm = ({ companyId, people, onDone, onClose }: OverGrid) => (
  <FormDialog
    call={leaveOccupants}
    title={`搬离 ${people.length} 人`}
    ok="确认搬离"
    done={`已登记 ${people.length} 位入住人搬离`}
    initial={{ companyId, ids: people.map((p) => p.id), lastDay: today(), reason: "" }}
    fields={[
      { show: () => <p className="asked">{people.map((p) => `${p.name}（${p.roomName}）`).join("、")}</p> },
      "lastDay",
      "reason",
    ]}
    onDone={onDone}
    onClose={onClose}
  />
);
