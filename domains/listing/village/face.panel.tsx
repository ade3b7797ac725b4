import type { Row } from "../../../platform/console/list/list-schema.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Picture } from "../room/pictures.panel.tsx";
import type { villages } from "./village.contract.ts";
import { VILLAGE_STATES } from "./village.rules.ts";

/** A store as a card: its cover, where it is, who runs it and how full it is. */
export const VillageFace = ({ village: v }: { village: Row<typeof villages> }) => (
  <>
    <span className="village__cover grid dim">
      {v.cover === null ? <Icon name="building" size={20} /> : <Picture id={v.cover} alt={v.name} />}
    </span>
    <span className="village__facts grid gap-2 fs-13">
      <span className="row">
        <b className="grow">{v.name}</b>
        <WordTag words={VILLAGE_STATES} code={v.state} />
      </span>
      <span className="sub cut">
        {v.districtName} {v.address}
      </span>
      <span className="sub">
        {v.managerName} {v.phone}
      </span>
      <span className="row">
        <span className="grow">
          {v.rooms.toLocaleString("en-US")} 间，在租 {v.let.toLocaleString("en-US")}
        </span>
        <b>{v.letRate === null ? "—" : `${(v.letRate * 100).toFixed(2)}%`}</b>
      </span>
      <span className="bar s-green">
        <i style={{ width: `${(v.letRate ?? 0) * 100}%` }} />
      </span>
    </span>
  </>
);
