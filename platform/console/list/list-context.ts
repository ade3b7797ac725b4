import { createContext, use } from "react";

/** What a record that is open beside its list knows about it. */
export type ListFrame = { ids: readonly number[]; at: number; open: (id: number) => void; close: () => void };
export const ListContext = createContext<ListFrame | undefined>(undefined);
export const useList = (): ListFrame | undefined => use(ListContext);

/** For a record that is open beside a board of them, where none is before or after it. */
export const alone = (id: number, set: (patch: { id: number | undefined }) => void): ListFrame => ({
  ids: [id],
  at: id,
  open: (next) => set({ id: next }),
  close: () => set({ id: undefined }),
});
