import { createContext, use } from "react";

/** What a record that is open beside its list knows about it. */
export type ListFrame = { ids: readonly number[]; at: number; open: (id: number) => void; close: () => void };
export const ListContext = createContext<ListFrame | undefined>(undefined);
export const useList = (): ListFrame | undefined => use(ListContext);
