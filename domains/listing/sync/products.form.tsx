import { useQuery } from "@tanstack/react-query";
import { ManySelect, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { productOptions } from "../product/options.contract.ts";

/** Some of the products. */
export function ProductsInput(p: InputProps<number[]>) {
  const { data = [], isLoading } = useQuery(ask(productOptions, { query: {} }));
  return (
    <ManySelect
      {...p}
      options={data.map((product) => ({ value: product.id, label: product.name }))}
      loading={isLoading}
      placeholder="全部产品"
    />
  );
}
