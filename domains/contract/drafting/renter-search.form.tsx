import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { ask } from "../../../platform/console/request.ts";
import { renterOptions } from "../../customer/renter/renter.contract.ts";

/** Finds a registered tenant by what is typed: a name, a phone or its last four digits. */
export function RenterSearch({ onFound }: { onFound: (partyId: number) => void }) {
  const [typed, setTyped] = useState("");
  const keyword = typed.trim();
  const { data = [], isFetching } = useQuery({
    ...ask(renterOptions, { query: { keyword } }),
    enabled: keyword.length > 0,
    placeholderData: (before) => before,
  });
  const nothing = !keyword ? "输入姓名、手机号或后四位" : isFetching ? "搜索中" : "没有找到，可新建租客";
  return (
    <Select<number>
      aria-label="查找租客"
      value={null}
      style={{ width: 320 }}
      placeholder="输入姓名、手机号或后四位查找"
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={isFetching}
      notFoundContent={nothing}
      options={
        keyword
          ? data.map((r) => ({
              value: r.id,
              label: r.name,
              note: [r.phone, r.rooms].filter(Boolean).join("　"),
            }))
          : []
      }
      optionRender={(o) => (
        <span className="row">
          <span className="grow cut">{o.data.label}</span>
          <small className="dim">{o.data.note}</small>
        </span>
      )}
      onChange={(id) => onFound(id)}
    />
  );
}
