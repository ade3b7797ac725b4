import { Checkbox, Select } from "antd";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { ManyInput, MoneyInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import type { Patch } from "../../../platform/console/screens/page.ts";
import { GENDERS, ROOM_KINDS } from "../room/words.rules.ts";
import type { Board } from "./board-state.panel.tsx";
import { MORE_KEYS, type Sieve } from "./sieve.rules.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

type Props = { board: Board; sieve: Sieve; set: (patch: Patch) => void; onClose: () => void };
type Key = (typeof MORE_KEYS)[number];

const sorted = (texts: Iterable<string>) => [...new Set(texts)].filter(Boolean).toSorted();

/** Floors from the top down by number; the same number in several buildings is one choice. */
const floorsOf = (board: Board) =>
  [...new Map(board.buildings.flatMap((b) => b.floors.map((f) => [f.number, f.name])))]
    .toSorted(([a], [b]) => b - a)
    .map(([value, label]) => ({ value, label }));

const Row = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div className="fi">
    <span className="fi__label">{title}</span>
    <div className="fi__in">{children}</div>
  </div>
);

/** Everything beside the three axes that narrows the board; each choice acts at once. */
export function MoreFilters({ board, sieve, set, onClose }: Props) {
  const pick = (key: Key, title: string, options: { value: string | number; label: string }[]) => (
    <Row title={title}>
      <Select
        mode="multiple"
        aria-label={title}
        value={(sieve[key as "kinds"] ?? []) as (string | number)[]}
        options={options}
        placeholder="不限"
        maxTagCount="responsive"
        showSearch={{ optionFilterProp: "label" }}
        onChange={(values) => set({ [key]: values })}
      />
    </Row>
  );
  const texts = (values: Iterable<string>) => sorted(values).map((value) => ({ value, label: value }));
  const span = (title: string, from: Key, to: Key, unit: string, money = false) => {
    const Input = money ? MoneyInput : NumberInput;
    return (
      <Row title={title}>
        <span className="row">
          <Input
            value={sieve[from as "areaFrom"]}
            unit={unit}
            placeholder="不限"
            onChange={(v) => set({ [from]: v })}
          />
          ~
          <Input
            value={sieve[to as "areaTo"]}
            unit={unit}
            placeholder="不限"
            onChange={(v) => set({ [to]: v })}
          />
        </span>
      </Row>
    );
  };
  const units = board.buildings.flatMap((b) =>
    b.units.map((u) => ({ value: u.id, label: board.buildings.length > 1 ? `${b.name} ${u.name}` : u.name })),
  );
  const footer = (
    <Foot>
      <Button run={() => set(Object.fromEntries(MORE_KEYS.map((key) => [key, undefined])))}>清除</Button>
      <Button look="main" run={onClose}>
        完成
      </Button>
    </Foot>
  );
  return (
    <Drawer title="更多筛选" width={420} onClose={onClose} footer={footer}>
      <div className="form" style={{ "--cols": 1, "--label": "80px" } as React.CSSProperties}>
        {pick(
          "buildings",
          "楼栋",
          board.buildings.map((b, value) => ({
            value,
            label: [b.community, b.name].filter(Boolean).join(" "),
          })),
        )}
        {units.length > 0 && pick("units", "单元", units)}
        {pick("floors", "楼层", floorsOf(board))}
        <Row title="类型">
          <ManyInput
            value={[...sieve.kinds]}
            words={ROOM_KINDS}
            placeholder="不限"
            onChange={(kinds) => set({ kinds })}
          />
        </Row>
        {pick(
          "products",
          "产品",
          board.products.map((p) => ({ value: p.id, label: p.name })),
        )}
        {pick("layouts", "户型", texts(board.tiles.map((t) => t.layout)))}
        {pick("tags", "标签", texts(board.tiles.flatMap((t) => t.tags)))}
        <Row title="性别">
          <ManyInput
            value={[...sieve.gender]}
            words={GENDERS}
            placeholder="不限"
            onChange={(gender) => set({ gender })}
          />
        </Row>
        {span("面积", "areaFrom", "areaTo", "㎡")}
        {span("标价", "priceFrom", "priceTo", "元", true)}
        <Row title="未出租">
          <Checkbox
            checked={sieve.empty ?? false}
            onChange={({ target }) => set({ empty: target.checked ? "1" : undefined })}
          >
            只看计入空置率的房间
          </Checkbox>
        </Row>
        <Row title="空置">
          <NumberInput
            value={sieve.vacantFrom}
            unit="天以上"
            placeholder="不限"
            onChange={(vacantFrom) => set({ vacantFrom })}
          />
        </Row>
        <Row title="到期">
          <NumberInput
            value={sieve.endsWithin}
            unit="天内"
            placeholder="不限"
            onChange={(endsWithin) => set({ endsWithin })}
          />
        </Row>
      </div>
    </Drawer>
  );
}
