import { useEffect } from "react";
import { useKept } from "../../../platform/console/filter/stored-choice.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { BoardPage } from "./board.panel.tsx";
import "./board.css";
import "./wall.css";
import "./calendar.css";

/** 房态图. The village, the day and everything chosen stand in the address; the last village is kept for next time. */
export default function ApartmentPage() {
  const [address, set] = useAddress();
  const [last, setLast] = useKept<number>("board.village", 0);
  const { data: villages } = useVillages();
  const asked = address.get("villageId");
  const wished = asked === null ? undefined : Number(asked);
  // a link may name a store that its reader does not see
  const strange = Boolean(villages && wished && !villages.some((v) => v.value === wished));
  const chosen = strange ? undefined : wished;
  useEffect(() => {
    if (!strange) return;
    toast("记录不存在或无权查看", "warning");
    set({ villageId: undefined });
  }, [strange, set]);
  // other pages name the room as `id`
  const named = address.get("id");
  useEffect(() => {
    if (named) set({ room: named, id: undefined });
  }, [named, set]);
  const room = address.get("room") ?? named;
  const several = address.get("villageIds");
  const filtered = ["occ", "cond", "flag", "empty"].some((axis) => address.get(axis));
  useEffect(() => {
    // a room brings its village along
    // 0 asks for all of them, which one store alone is
    if (!villages || strange || room || (asked !== null && (chosen || villages.length > 1))) return;
    const among = several ? several.split(",").map(Number) : villages.map((v) => v.value);
    // a count over several villages is looked at in all of them, not in the one that was open last
    const home = several || filtered ? undefined : among.find((id) => id === last);
    const one = home ?? (among.length === 1 ? among[0] : undefined);
    if (one) set({ villageId: one, villageIds: undefined });
  }, [villages, strange, asked, chosen, room, several, filtered, last, set]);
  useEffect(() => {
    if (chosen && chosen !== last) setLast(chosen);
  }, [chosen, last, setLast]);
  if (!villages) return <PageSkeleton />;
  if (room && asked === null) return <BoardPage villageId={undefined} waiting />;
  return <BoardPage villageId={chosen || undefined} />;
}
