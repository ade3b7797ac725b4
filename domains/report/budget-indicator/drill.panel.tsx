import { Link } from "react-router";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { type Drill, drillReply } from "./budget-indicator.contract.ts";

/** What a figure comes to, and the rows that make it. */
export const DrillRows = ({ drill }: { drill: Drill }) => (
  <div className="stack gap-4">
    <p className="row wrap">
      <span className="sub">实际</span>
      <b className="fs-16" data-whole>
        {drill.shown}
      </b>
      {drill.estimated && <StatusTag tone="gold">预估</StatusTag>}
      <span className="dim">
        {drill.total > drill.rows.length
          ? `共 ${drill.total} 行，显示金额最大的 ${drill.rows.length} 行`
          : `共 ${drill.total} 行`}
      </span>
    </p>
    {drill.estimated && <p className="dim fs-13">未计提的月份按计提口径预估至今天</p>}
    <RowTable
      flat
      schema={drillReply.shape.rows}
      rows={drill.rows}
      columns={[
        "day",
        "what",
        {
          key: "number",
          show: (row) => {
            const to = row.billId ? reach("/accountManage/BillListManage", { id: row.billId }) : undefined;
            return to ? <Link to={to}>{row.number}</Link> : row.number;
          },
        },
        "about",
        { key: "shown", show: (row) => <span data-whole>{row.shown}</span> },
      ]}
      emptyText="没有明细"
    />
  </div>
);
