/** A part of what EXPLAIN (analyze, format json) tells of a plan that was run. */
interface PlanNode {
  'Relation Name'?: string;
  'Actual Loops': number;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** How many rows of a table a plan has read, those that it did not want included. */
export function rowsReadOf(node: PlanNode, table: string): number {
  const { 'Actual Loops': loops, 'Actual Rows': rows } = node;
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = node;
  const own = node['Relation Name'] === table ? loops * (rows + filtered + rechecked) : 0;
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsReadOf(each, table), own);
}
