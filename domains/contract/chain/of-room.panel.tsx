import { TenancyLine } from "./chain.panel.tsx";

/** Who had the room and what became of it, on the room's own drawer. */
export default function RoomLine({ id }: { id: number }) {
  return <TenancyLine roomId={id} />;
}
