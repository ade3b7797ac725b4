import { useQuery } from "@tanstack/react-query";
import { Detail } from "../../../platform/console/detail.tsx";
import { History } from "../../../platform/console/history.tsx";
import { pathTo } from "../../../platform/console/page.ts";
import { may } from "../../../platform/console/permits.ts";
import { ask } from "../../../platform/console/request.ts";
import { RowTable } from "../../../platform/console/rowtable.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/tag.tsx";
import { Link } from "react-router";
import { CONDITIONS, FLAGS, OCCUPANCIES } from "../status/words.rules.ts";
import { useRoomActs } from "./acts.panel.tsx";
import { PicturesInput } from "./pictures.panel.tsx";
import { roomPrices } from "./price.contract.ts";
import { room } from "./room.contract.ts";

/** A room as a thing that is listed: data, prices, pictures. What happens in it is shown by whoever fills "room.tabs". */
export function RoomDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useRoomActs();
  return (
    <>
      <Detail
        call={room}
        sent={{ params: { id } }}
        width={860}
        title={(r) => r.fullName}
        tags={(r) => (
          <>
            {r.occupancy && <WordTag words={OCCUPANCIES} code={r.occupancy} />}
            {r.condition && r.condition !== "rentable" && <WordTag words={CONDITIONS} code={r.condition} />}
            {r.flags.map((flag) => (
              <WordTag key={flag} words={FLAGS} code={flag} dot={false} />
            ))}
            {r.retiredDay && <StatusTag tone="grey">{r.retiredDay} 起注销</StatusTag>}
          </>
        )}
        strip={(r) => [
          { title: "标价", fen: r.listPrice },
          ...(may("#601") ? [{ title: "底价", fen: r.lowestPrice }] : []),
        ]}
        facts={[
          "villageName",
          "kind",
          "layout",
          "area",
          "orientation",
          "capacity",
          "productName",
          "priceMode",
          "minTermMonths",
          "firstDay",
          {
            title: "租客",
            show: (r) =>
              r.partyName && r.contractId && may("9.query") ? (
                <Link to={pathTo("/contract/RenterContractPage", { id: r.contractId })}>{r.partyName}</Link>
              ) : (
                (r.partyName ?? "—")
              ),
          },
          "until",
          { title: "设施", show: (r) => r.facilities.join("、") || "—", wide: true },
          { title: "标签", show: (r) => r.tags.join("、") || "—", wide: true },
          { key: "description", wide: true },
          { key: "remark", wide: true },
        ]}
        actions={(r) => actsOf(r)}
        tabs={[
          { key: "prices", title: "价格", view: (r) => <Prices id={r.id} /> },
          {
            key: "pictures",
            title: "图片",
            count: (r) => r.pictureIds.length,
            view: (r) => <PicturesInput value={r.pictureIds} onChange={() => {}} disabled />,
          },
          { key: "log", title: "日志", view: (r) => <History kind="room" id={r.id} /> },
        ]}
        slot="room.tabs"
      />
      {layer}
    </>
  );
}

function Prices({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(roomPrices, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable
      schema={roomPrices.reply}
      rows={data}
      flat
      emptyText="还没有价格"
      columns={[
        {
          key: "effectiveDay",
          show: (p) => (
            <>
              {p.effectiveDay} {p.current && <StatusTag tone="green">当前</StatusTag>}
            </>
          ),
        },
        "listPrice",
        ...(may("#601") ? (["lowestPrice"] as const) : []),
        "unit",
        "source",
        "createdName",
        "createdAt",
      ]}
    />
  );
}
