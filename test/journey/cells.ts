/** The cells that objects of the API have in the files of the dashboard. */

/** The columns of a file, each with the field of the API's object. */
type Cells = Readonly<Record<string, string>>;
const COMMON = ['id', 'status', 'currency', 'created_at', 'completed_at', 'description'];
const SAME = Object.fromEntries(COMMON.map((name) => [name, name]));
export const PAYMENT_CELLS: Cells = {
  ...SAME,
  amount_minor: 'amount',
  amount_refunded_minor: 'amount_refunded',
  order_id: 'order_id',
  attempts_count: 'attempts_count',
};
export const REFUND_CELLS: Cells = {
  ...SAME,
  amount_minor: 'amount',
  payment_id: 'payment_id',
  initiated_by: 'initiated_by',
};

/** Returns the cells that the object has in a file. */
export function cellsOf(object: object, cells: Cells): Record<string, string> {
  const fields = new Map<string, unknown>(Object.entries(object));
  const text = (field: string): string => {
    const value = fields.get(field);
    return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  };
  return Object.fromEntries(Object.entries(cells).map(([cell, field]) => [cell, text(field)]));
}
