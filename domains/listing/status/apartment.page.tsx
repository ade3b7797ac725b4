import { useEffect } from "react";
import { useKept } from "../../../platform/console/kept.ts";
import { useAddress } from "../../../platform/console/page.ts";
import { useVillages } from "../../../platform/console/source.ts";
import { PageSkeleton } from "../../../platform/console/states.tsx";
import { BoardPage } from "./board.panel.tsx";
import "./board.css";
import "./room.css";

/** 房态图. The village, the day and everything chosen stand in the address; the last village is kept for next time. */
export default function ApartmentPage() {
  const [address, set] = useAddress();
  const [last, setLast] = useKept<number>("board.village", 0);
  const { data: villages } = useVillages();
  const asked = address.get("villageId");
  const chosen = asked === null ? undefined : Number(asked);
  // other pages name the room as `id`
  const named = address.get("id");
  useEffect(() => {
    if (named) set({ room: named, id: undefined });
  }, [named, set]);
  useEffect(() => {
    if (!villages || asked !== null) return;
    const home = villages.find((v) => v.value === last) ?? (villages.length === 1 ? villages[0] : undefined);
    if (home) set({ villageId: home.value });
  }, [villages, asked, last, set]);
  useEffect(() => {
    if (chosen && chosen !== last) setLast(chosen);
  }, [chosen, last, setLast]);
  if (!villages) return <PageSkeleton />;
  return <BoardPage villageId={chosen || undefined} />;
}
