import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { buildingTree } from "../building/building.contract.ts";
import { villageOptions } from "../village/village.contract.ts";

type Place = { villageIds?: number; buildingId?: number; unitId?: number; floorId?: number };
const NOWHERE = { villageIds: undefined, buildingId: undefined, unitId: undefined, floorId: undefined };

/** Village, building, unit and floor with what stands in them; a click narrows the list to it, another lets go. */
export function PlaceTree() {
  const [address, set] = useAddress();
  const [typed, setTyped] = useState("");
  const { data = [] } = useQuery(ask(villageOptions));
  const chosen = address.get("villageIds") ?? "";
  const [open, setOpen] = useState<number | undefined>(Number(chosen) || undefined);
  const choose = (place: Place) => set({ ...NOWHERE, ...place, pageNo: undefined });
  const word = typed.trim().toLowerCase();
  const shown = data.filter((v) => !word || `${v.name} ${v.code} ${v.pinyin}`.toLowerCase().includes(word));
  return (
    <nav className="card places__tree" aria-label="房源位置">
      <input
        type="search"
        className="places__find"
        placeholder="门店名称、拼音或编码"
        aria-label="查找门店"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <ul>
        <li>
          <button
            type="button"
            aria-current={chosen === "" || undefined}
            className={chosen === "" ? "on" : ""}
            onClick={() => choose({})}
          >
            全部门店
          </button>
        </li>
        {shown.map((village) => (
          <li key={village.id}>
            <Node
              name={village.name}
              on={chosen === String(village.id) && !address.get("buildingId")}
              open={open === village.id}
              onOpen={() => setOpen(open === village.id ? undefined : village.id)}
              onChoose={() => {
                setOpen(village.id);
                choose({ villageIds: village.id });
              }}
            />
            {open === village.id && <Buildings villageId={village.id} address={address} choose={choose} />}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Buildings({
  villageId,
  address,
  choose,
}: {
  villageId: number;
  address: URLSearchParams;
  choose: (place: Place) => void;
}) {
  const { data } = useQuery(ask(buildingTree, { query: { villageId } }));
  const [open, setOpen] = useState<number | undefined>(Number(address.get("buildingId")) || undefined);
  const at = (key: string, id: number) => address.get(key) === String(id);
  if (!data) return <p className="dim places__note">加载中</p>;
  if (!data.length) return <p className="dim places__note">还没有楼栋</p>;
  return (
    <ul>
      {data.map((building) => {
        const here = { villageIds: villageId, buildingId: building.id };
        const floors = (unitId: number | null) =>
          building.floors
            .filter((floor) => floor.unitId === unitId)
            .map((floor) => (
              <li key={floor.id}>
                <Node
                  name={floor.name}
                  count={floor.apartments}
                  on={at("floorId", floor.id)}
                  onChoose={() => choose({ ...here, ...(unitId !== null && { unitId }), floorId: floor.id })}
                />
              </li>
            ));
        return (
          <li key={building.id}>
            <Node
              name={[building.communityName, building.name].filter(Boolean).join(" ")}
              count={building.apartments}
              on={at("buildingId", building.id) && !address.get("unitId") && !address.get("floorId")}
              open={open === building.id}
              onOpen={() => setOpen(open === building.id ? undefined : building.id)}
              onChoose={() => choose(here)}
            />
            {open === building.id && (
              <ul>
                {floors(null)}
                {building.units.map((unit) => (
                  <li key={unit.id}>
                    <Node
                      name={unit.name}
                      count={unit.apartments}
                      on={at("unitId", unit.id) && !address.get("floorId")}
                      onChoose={() => choose({ ...here, unitId: unit.id })}
                    />
                    <ul>{floors(unit.id)}</ul>
                  </li>
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const Node = ({
  name,
  count,
  on,
  open,
  onOpen,
  onChoose,
}: {
  name: string;
  count?: number;
  on: boolean;
  open?: boolean;
  onOpen?: () => void;
  onChoose: () => void;
}) => (
  <span className="row gap-0">
    {onOpen ? (
      <button
        type="button"
        className="places__fold"
        aria-label={`${open ? "收起" : "展开"} ${name}`}
        aria-expanded={open}
        onClick={onOpen}
      >
        <Icon name={open ? "down" : "right"} size={12} />
      </button>
    ) : (
      <i className="places__fold" />
    )}
    <button type="button" className={on ? "on" : ""} aria-current={on || undefined} onClick={onChoose}>
      <span className="cut">{name}</span>
      {count !== undefined && <small>{count}</small>}
    </button>
  </span>
);
