import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { villageStaff } from "./village.contract.ts";

/** Who sees the village. It is read here and changed with the permissions. */
export function StaffPanel({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(villageStaff, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <>
      <p className="dim">
        以下员工可以查看本门店。
        {may("46.query") && <Link to={pathTo("/system/AuthorityManagement")}>到权限管理中调整</Link>}
      </p>
      <RowTable
        schema={villageStaff.reply}
        rows={data}
        columns={[
          {
            key: "realName",
            show: (p) => (
              <>
                {p.realName}{" "}
                {p.manager && (
                  <StatusTag tone="grey" dot={false}>
                    店长
                  </StatusTag>
                )}
              </>
            ),
          },
          "phone",
          "departments",
          "roles",
        ]}
        flat
        emptyText="还没有员工可以查看本门店"
      />
    </>
  );
}
