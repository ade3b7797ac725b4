import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import type { InputProps } from "../../../platform/console/inputs.tsx";
import { ask } from "../../../platform/console/request.ts";
import { productOptions } from "../product/options.contract.ts";

/** Some of the products. */
export function ProductsInput({ value, onChange, onBlur, id, disabled }: InputProps<number[]>) {
  const { data = [], isLoading } = useQuery(ask(productOptions, { query: {} }));
  return (
    <Select
      mode="multiple"
      id={id}
      value={value ?? []}
      loading={isLoading}
      disabled={disabled}
      placeholder="全部产品"
      maxTagCount="responsive"
      showSearch={{ optionFilterProp: "label" }}
      options={data.map((p) => ({ value: p.id, label: p.name }))}
      onChange={(next: number[]) => onChange(next)}
      onBlur={onBlur}
    />
  );
}
