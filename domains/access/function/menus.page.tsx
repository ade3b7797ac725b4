import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { Chips } from "../../../platform/console/filter/chips.tsx";
import { declared, queryOf } from "../../../platform/console/filter/filter.ts";
import { Filters } from "../../../platform/console/filter/filters.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { listFunctions, addFunction } from "./function.contract.ts";
import { FunctionForm, type FunctionOpened } from "./function.form.tsx";
import { MenuTable } from "./menus.panel.tsx";
import "./function.css";

const KEYS = ["level", "state", "keyword"];
const FILTERS = declared(listFunctions, KEYS);
const KNOWN = new Set(KEYS);

/** 菜单管理: names, order and visibility of menus and pages, and everything that a role can be given. */
export default function MenusPage() {
  const [address, set] = useAddress();
  const [opened, setOpened] = useState<FunctionOpened>();
  const query = queryOf(address, KNOWN, {});
  const filtered = Object.keys(query).length > 0;
  const { data, error, refetch } = useQuery({
    ...ask(listFunctions, { query }),
    placeholderData: (before) => before,
  });
  return (
    <div className="menus stack full">
      <Filters filters={FILTERS} params={address} set={set} />
      <Chips filters={FILTERS} params={address} set={set} fresh={undefined} />
      <section className="card">
        <div className="tools row">
          <ActionButtons
            actions={[
              { label: "新增功能", icon: "plus", main: true, does: addFunction, run: () => setOpened({}) },
            ]}
          />
          <span className="grow" />
          <span className="dim">{data ? `${data.filter((n) => n.matches).length} 项` : ""}</span>
          <IconButton icon="refresh" label="刷新" run={() => refetch()} />
        </div>
        {error && !data ? (
          <Broken error={error} retry={refetch} />
        ) : !data ? (
          <RowsSkeleton rows={12} />
        ) : data.length ? (
          <MenuTable nodes={data} unfolded={filtered} open={setOpened} />
        ) : (
          <Empty text="没有符合条件的功能" />
        )}
      </section>
      {opened && <FunctionForm opened={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}
