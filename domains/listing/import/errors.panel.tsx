import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/request.ts";
import { RowTable } from "../../../platform/console/rowtable.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import { roomImportErrors, sheetError } from "./import.contract.ts";

/** Every wrong cell by row and column. */
export function ImportErrors({ id, version }: { id: number; version: string }) {
  const { data, error, refetch } = useQuery({
    ...ask(roomImportErrors, { params: { id } }),
    queryKey: [roomImportErrors.path, id, version],
  });
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <div>
      <h3>
        {data.total} 处错误
        {data.list.length < data.total && (
          <small className="dim"> 列出前 {data.list.length} 处，全部错误见错误文件</small>
        )}
      </h3>
      <div className="intake__scroll">
        <RowTable
          schema={sheetError}
          rows={data.list}
          columns={[
            "sheet",
            "row",
            "column",
            "header",
            "value",
            { key: "msg", show: (e) => <span className="bad">{e.msg}</span> },
          ]}
        />
      </div>
    </div>
  );
}
