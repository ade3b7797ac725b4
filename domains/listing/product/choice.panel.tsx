import { useQuery } from "@tanstack/react-query";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { OptionSelect } from "../../../platform/console/inputs/selects.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { PRICE_UNITS, wordOf, type RoomKind } from "../room/words.rules.ts";
import { productOptions } from "./product.contract.ts";

/** The product of a room: those that are offered for its kind in its store, and the one it has. */
export function ProductInput({
  kind,
  villageId,
  ...p
}: InputProps<number> & { kind: RoomKind; villageId: number }) {
  const { value } = p;
  const { data = [], isLoading } = useQuery(ask(productOptions, { query: { kind, villageId } }));
  const known = value === undefined || data.some((p) => p.id === value);
  const { data: old = [] } = useQuery({
    ...ask(productOptions, { query: { ids: String(value ?? 0) } }),
    enabled: !known,
  });
  return (
    <OptionSelect
      {...p}
      clear
      loading={isLoading}
      placeholder="不关联产品"
      notFoundContent="还没有适用于该门店和类型的产品"
      options={[...data, ...(known ? [] : old)].map((p) => ({
        value: p.id,
        label: `${p.name}${p.listPrice === null ? "" : `（${yuan(p.listPrice)} ${wordOf(PRICE_UNITS, p.priceUnit)}）`}`,
      }))}
    />
  );
}
