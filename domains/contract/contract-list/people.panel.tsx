import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { type ContractDetail, contractOccupants } from "../contract/detail.contract.ts";

/** The rooms with what is paid for each, and who lives in them from when to when. */
export function ContractPeople({ contract: c }: { contract: ContractDetail }) {
  const { data, error, refetch } = useQuery(ask(contractOccupants, { params: { id: c.id } }));
  return (
    <>
      <div className="box">
        <table className="tbl">
          <thead>
            <tr>
              <th>房间</th>
              <th className="num">面积 ㎡</th>
              <th className="num">标价</th>
              <th className="num">月租金</th>
              <th>起止</th>
              <th className="num">可住</th>
            </tr>
          </thead>
          <tbody>
            {c.rooms.map((room) => (
              <tr key={room.roomId}>
                <td>
                  {room.name}{" "}
                  {room.role === "attached" && (
                    <StatusTag tone="grey" dot={false}>
                      附属
                    </StatusTag>
                  )}
                </td>
                <td className="num">{room.area ?? NONE}</td>
                <td className="num">
                  <Money fen={room.listPrice} />
                </td>
                <td className="num">
                  <Money fen={room.monthlyRent} />
                </td>
                <td>
                  {room.joinDate} ~ {room.leaveDate ?? c.endDate ?? "—"}
                </td>
                <td className="num">{room.role === "main" ? `${room.capacity} 人` : NONE}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {c.kind !== "merchant" && <h3>入住人</h3>}
      {c.kind === "merchant" ? null : error ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={3} />
      ) : !data.length ? (
        <p className="dim">还没有登记入住人</p>
      ) : (
        <div className="box">
          <table className="tbl">
            <thead>
              <tr>
                <th>姓名</th>
                <th>手机号</th>
                <th>证件号</th>
                <th>关系</th>
                <th>房间</th>
                <th>起止</th>
                <th>门锁权限</th>
              </tr>
            </thead>
            <tbody>
              {data.map((o) => (
                <tr key={`${o.signer} ${o.id}`}>
                  <td>{o.name}</td>
                  <td>{o.phone || NONE}</td>
                  <td>{o.certNo ?? NONE}</td>
                  <td>
                    {o.signer ? (
                      <StatusTag tone="grey" dot={false}>
                        签约人
                      </StatusTag>
                    ) : (
                      o.relation || NONE
                    )}
                  </td>
                  <td>{o.roomName || NONE}</td>
                  <td>
                    {o.fromDate} ~ {o.toDate ?? "—"}
                  </td>
                  <td>{o.lockAccess ? "有" : <span className="dim">无</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
