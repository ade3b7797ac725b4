import { Icon } from "../../../platform/console/parts/icons.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Picture } from "../room/pictures.panel.tsx";
import type { publicAreas } from "./area.contract.ts";
import { AREA_STATES } from "./area.rules.ts";
import "../village/village.css";

/** An area as a card: its cover, where it is, and who looks after it. */
export const AreaFace = ({ area: a }: { area: Row<typeof publicAreas> }) => (
  <>
    <span className="village__cover grid dim">
      {a.cover === null ? <Icon name="building" size={20} /> : <Picture id={a.cover} alt={a.name} />}
    </span>
    <span className="village__facts grid gap-2 fs-13">
      <span className="row">
        <b className="grow cut">{a.name}</b>
        <WordTag words={AREA_STATES} code={a.state} />
      </span>
      <span className="sub cut">
        {a.villageName} {a.place}
      </span>
      <span className="sub cut">
        {[
          a.kindName,
          a.area !== null && `${a.area.toFixed(2)} ㎡`,
          a.capacity !== null && `可容 ${a.capacity} 人`,
        ]
          .filter(Boolean)
          .join("，")}
      </span>
      <span className="sub cut">
        {a.assets} 件资产{a.managerName && `，${a.managerName} 负责`}
      </span>
    </span>
  </>
);
