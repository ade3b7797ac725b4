import { Segments } from "../../../platform/console/parts/segments.tsx";
import { useQuery } from "@tanstack/react-query";
import { Checkbox, Tooltip, Input } from "antd";
import { useMemo, useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import { finds } from "../../../platform/kernel/texts/like.ts";
import { numberOf } from "../../../platform/kernel/texts/names.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { ChoiceInput, MoneyInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { ask, download, upload } from "../../../platform/console/calls/request.ts";
import { SheetDrop } from "../../../platform/console/files/checking.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";
import { ROOM_KINDS, monthlyPrice } from "../../listing/room/words.rules.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { isAttached } from "../terms/product.rules.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { readRoomFile, roomFileTemplate } from "./draft.contract.ts";
import { roomsFiled, roomsNamed } from "./drafting.rules.ts";
import { pickedAfter, sieved, type Sieve } from "./picking.rules.ts";
import "./drafting.css";

type Option = Reply<typeof roomOptions>[number];
/** `given`: the rent that a file set, which counts before any other. */
export type Picked = { id: number; name: string; monthly: Fen | null; given?: Fen | undefined };
type Props = {
  /** Tenants take one room to live in, companies many, merchants shops. */
  of: ContractKind;
  villageId: number;
  from: Day;
  to: Day;
  contractId: number | undefined;
  /** Whose own reservation is what the contract takes. */
  partyId?: number | null | undefined;
  chosen: readonly number[];
  /** Rooms of a running contract that are given back, with their rents: no other is shown, and each may be picked. */
  leaving?: ReadonlyMap<number, Fen> | undefined;
  onPick: (rooms: readonly Picked[]) => void;
  onClose: () => void;
};

const KINDS = ["whole", "room", "bed", "shop", "parking", "storage"] as const;
/** Shops are let to merchants, rooms to live in to everybody else. */
const fits = (of: ContractKind, o: Option) =>
  isAttached(o.kind) || (o.kind === "shop") === (of === "merchant");
const priceOf = (o: Option) => monthlyPrice(o.listPrice, o.priceUnit, String(o.area));

/** Tiles of the flat list; nobody looks through more, and each of them costs. */
const MOST_TILES = 300;

/** What can be had first, the cheapest before the dearer; a price that is agreed on comes last. */
const cheapest = (a: Option, b: Option): number =>
  Number(b.free) - Number(a.free) || (priceOf(a) ?? Infinity) - (priceOf(b) ?? Infinity) || 0;

/** A room that is given back: nothing stands in its way, and its price is the rent that was agreed. */
const givenBack = (o: Option, rent: Fen | undefined): Option[] =>
  rent === undefined ? [] : [{ ...o, free: true, why: null, listPrice: rent, priceUnit: "month" }];

/**
 * The rooms of a village that can be had over the whole term, cheapest first, and the others with why not; or those of a
 * contract that are given back. On wish by floor.
 */
export function RoomPicker(props: Props) {
  const { of, villageId, from, to, contractId, partyId, chosen, leaving, onPick, onClose } = props;
  const [picked, setPicked] = useState(chosen);
  const [kind, setKind] = useState("");
  const [typed, setTyped] = useState("");
  const [onlyFree, setOnlyFree] = useState(true);
  const [byFloor, setByFloor] = useState(false);
  const [sieve, setSieve] = useState<Sieve>({});
  const [rents, setRents] = useState<ReadonlyMap<number, Fen | null>>(new Map());
  const query = {
    ...{ villageId, limit: 5000 },
    ...(!leaving && { from, to, ...(contractId && { contractId }), ...(partyId && { partyId }) }),
  };
  const { data: found, error, refetch } = useQuery(ask(roomOptions, { query }));
  const data = useMemo(
    () => (leaving ? found?.flatMap((o) => givenBack(o, leaving.get(o.id))) : found),
    [found, leaving],
  );
  const kinds = KINDS.filter((k) => data?.some((o) => o.kind === k && fits(of, o)));
  const facing = [...new Set(data?.map((o) => o.orientation).filter(Boolean))].toSorted();
  const on = useMemo(() => new Set(picked), [picked]);
  const shown = useMemo(() => {
    const named = finds(typed);
    return (data ?? []).filter(
      (o) =>
        fits(of, o) &&
        (!kind || o.kind === kind) &&
        (!onlyFree || o.free || on.has(o.id)) &&
        sieved(sieve, { orientation: o.orientation, price: priceOf(o) }) &&
        named(o.fullName),
    );
  }, [of, data, kind, onlyFree, on, typed, sieve]);
  const able = shown.filter((o) => o.free);
  const allOn = able.length > 0 && able.every((o) => on.has(o.id));
  const pickAll = (all: boolean) => {
    const these = new Set(able.map((o) => o.id));
    setPicked(all ? [...new Set([...picked, ...these])] : picked.filter((id) => !these.has(id)));
  };
  const toggle = (o: Option) => {
    const kindOf = (id: number) => data?.find((d) => d.id === id)?.kind ?? "";
    const after = pickedAfter(
      of,
      picked.map((id) => ({ id, kind: kindOf(id) })),
      o,
    );
    if ("refused" in after) return toast(after.refused, "warning");
    setPicked(after.ids);
  };
  const close = async () => {
    const same = picked.length === chosen.length && chosen.every((id) => on.has(id));
    if (same || (await confirmLeave())) onClose();
  };
  const done = () => {
    const known = new Map(data?.map((o) => [o.id, o]));
    const rows = picked.flatMap((id) => known.get(id) ?? []);
    onPick(
      rows
        .toSorted((a, b) => Number(isAttached(a.kind)) - Number(isAttached(b.kind)))
        .map((o) => ({
          ...{ id: o.id, name: o.fullName, monthly: priceOf(o) },
          given: rents.get(o.id) ?? undefined,
        })),
    );
  };
  return (
    <Drawer
      title={leaving ? "选择退还的房间" : `选择房间 ${from} ~ ${to}`}
      width={880}
      modal
      onClose={() => void close()}
      footer={
        <Foot
          cancel={() => void close()}
          note={
            <span className="dim">
              {!leaving && `空闲 ${able.length} / `}共 {shown.length} 间
            </span>
          }
        >
          <Button look="main" why={picked.length ? undefined : "请选择房间"} run={done}>
            确定{picked.length > 0 && `（${picked.length} 间）`}
          </Button>
        </Foot>
      }
    >
      <div className="rp__bar row gap-6 wrap fs-13">
        <TextInput value={typed} onChange={(text) => setTyped(text ?? "")} placeholder="房号" />
        <Segments
          label="类型"
          items={["", ...kinds].map((k) => [k, k ? ROOM_KINDS[k as keyof typeof ROOM_KINDS][0] : "全部"])}
          on={kind}
          onChange={setKind}
        />
        <ChoiceInput
          clear
          placeholder="朝向"
          value={sieve.orientation}
          words={Object.fromEntries(facing.map((o) => [o, [o, "grey"] as const]))}
          onChange={(orientation) => setSieve({ ...sieve, orientation })}
        />
        <span className="row gap-3 rp__price">
          <MoneyInput
            placeholder="最低月租"
            value={sieve.least}
            onChange={(least) => setSieve({ ...sieve, least })}
          />
          至
          <MoneyInput
            placeholder="最高月租"
            value={sieve.most}
            onChange={(most) => setSieve({ ...sieve, most })}
          />
        </span>
        {!leaving && (
          <Checkbox checked={onlyFree} onChange={(event) => setOnlyFree(event.target.checked)}>
            只看可租
          </Checkbox>
        )}
        <Checkbox checked={byFloor} onChange={(event) => setByFloor(event.target.checked)}>
          按楼层排列
        </Checkbox>
        {of === "company" && (
          <Checkbox
            checked={allOn}
            disabled={!able.length}
            onChange={(event) => pickAll(event.target.checked)}
          >
            全选 {able.length} 间
          </Checkbox>
        )}
      </div>
      {of === "company" && data && (
        <NamedRooms
          rooms={data.filter((o) => fits(of, o))}
          withFile={!leaving}
          onFound={(found) => {
            setPicked([...new Set([...picked, ...found.keys()])]);
            // who is only named keeps the rent that a file set
            setRents(new Map([...rents, ...[...found].filter(([, rent]) => rent !== null)]));
          }}
        />
      )}
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={8} />
      ) : !shown.length ? (
        <Empty text={onlyFree && !leaving ? "整个租期内没有可租的房间" : "没有符合条件的房间"} />
      ) : byFloor ? (
        <Buildings rooms={shown} picked={on} toggle={toggle} />
      ) : (
        <div className="rp__all row gap-3 wrap">
          {shown
            .toSorted(cheapest)
            .slice(0, MOST_TILES)
            .map((o) => (
              <Tile key={o.id} option={o} on={on.has(o.id)} run={() => toggle(o)} whole />
            ))}
          {shown.length > MOST_TILES && (
            <p className="dim">
              共 {shown.length} 间，显示最便宜的 {MOST_TILES} 间，请筛选或按房号添加
            </p>
          )}
        </div>
      )}
    </Drawer>
  );
}

type BuildingsProps = { rooms: readonly Option[]; picked: ReadonlySet<number>; toggle: (o: Option) => void };

function Buildings({ rooms, picked, toggle }: BuildingsProps) {
  return [...Map.groupBy(rooms, (o) => `${o.buildingName}${o.unitName ? ` ${o.unitName}` : ""}`)].map(
    ([building, inside]) => (
      <section key={building} className="rp">
        <h3>{building}</h3>
        {[...Map.groupBy(inside, (o) => o.floorName)].map(([floor, row]) => (
          <div key={floor} className="rp__floor grid gap-4 fs-12 dim">
            <span>{floor}</span>
            <div className="row gap-3 wrap">
              {row.map((o) => (
                <Tile key={o.id} option={o} on={picked.has(o.id)} run={() => toggle(o)} />
              ))}
            </div>
          </div>
        ))}
      </section>
    ),
  );
}

/** A room of a shared flat is only found with the flat before it. */
const nameOf = (o: Option) => (o.kind === "room" || o.kind === "bed" ? numberOf(o.fullName) : o.name);

type TileProps = {
  option: Option;
  on: boolean;
  run: () => void;
  /** Where it lies is said too: no building and floor stand over it. */
  whole?: boolean;
};

function Tile({ option: o, on, run, whole }: TileProps) {
  const place = [o.buildingName, o.unitName].filter(Boolean).join("·");
  const price = priceOf(o);
  const off = !o.free && !on;
  const tile = (
    <button
      type="button"
      className={`rp__tile stack ${on ? "on" : ""} ${off ? "off" : ""}`}
      aria-pressed={on}
      aria-disabled={off || undefined}
      onClick={() => !off && run()}
    >
      <b data-whole="true">{nameOf(o)}</b>
      {whole && <span className="cut">{place}</span>}
      <span>{[ROOM_KINDS[o.kind][0], `${o.area}㎡`].join(" ")}</span>
      <span>{off ? "不可租" : price === null ? "—" : yuan(price)}</span>
    </button>
  );
  return (
    <Tooltip title={o.why ?? `${o.fullName} ${o.layout} ${o.orientation}`} mouseEnterDelay={0.2}>
      {tile}
    </Tooltip>
  );
}

type NamedProps = {
  rooms: Parameters<typeof roomsNamed>[1];
  /** A file sets rents, which rooms that leave have no use for. */
  withFile: boolean;
  /** With the rents that a file sets. */
  onFound: (rooms: ReadonlyMap<number, Fen | null>) => void;
};

/** Many rooms at once, by a list of names or a file such as a company sends it. */
function NamedRooms({ rooms, withFile, onFound }: NamedProps) {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const add = () => {
    const named = roomsNamed(typed, rooms);
    setWrong(named.wrong);
    if (named.wrong.length) return;
    onFound(new Map(named.ids.map((id) => [id, null])));
    setTyped("");
  };
  const [reading, setReading] = useState<string>();
  const take = async (file: File) => {
    setReading(file.name);
    try {
      const { rows, errors } = await upload(readRoomFile, { files: [file] });
      const filed = roomsFiled(rows, rooms);
      const told = errors.map((e) => `第 ${e.row} 行 ${e.header}：${e.msg}`);
      setWrong([...told, ...filed.wrong]);
      if (told.length || filed.wrong.length) return;
      onFound(filed.rents);
      toast(`已添加 ${filed.rents.size} 间房`);
    } catch (error) {
      setWrong([sentence(error)]);
    } finally {
      setReading(undefined);
    }
  };
  return (
    <div className="rp__named">
      <div className="row">
        <Input.TextArea
          aria-label="按房号添加"
          autoSize={{ minRows: 1, maxRows: 4 }}
          value={typed}
          placeholder="粘贴房号，用逗号或换行分隔"
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button run={add}>按房号添加</Button>
      </div>
      {withFile && (
        <div className="row wrap">
          <SheetDrop
            className="grow"
            text="或选择 .xlsx 文件（房间、月租金），最多 2,000 行"
            busy={reading && `正在读取 ${reading} …`}
            onFile={take}
          />
          <Button icon="download" size="sm" run={() => download(roomFileTemplate, {})}>
            下载模板
          </Button>
        </div>
      )}
      {wrong.length > 0 && (
        <ul className="form__alert rp__wrong" role="alert" aria-label="未添加的原因" tabIndex={0}>
          {wrong.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
