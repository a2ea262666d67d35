import type { ReactNode } from 'react';
import { AreaLinks } from '../../../../../components/shell/navigation/area-links';
import { RANGE_PARAMETERS } from '../../../../../components/ui/list/filter/day-range';

export default function StatisticsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <AreaLinks area="statistics" keptFilters={[...RANGE_PARAMETERS, 'shop']} />
      {children}
    </>
  );
}
