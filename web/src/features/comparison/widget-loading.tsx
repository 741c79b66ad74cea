import { t } from '@lingui/core/macro';
import { Card, Skeleton } from '@mantine/core';
import classes from './comparison.module.css';

const cells = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The widget's rows while they are on their way, in their own shape. */
export function WidgetRowsLoading() {
  return (
    <div className={`cq-list ${classes.compact}`} aria-busy="true" role="status" aria-label={t`Cargando`}>
      {cells.map((cell) => (
        <Skeleton key={cell} height={78} />
      ))}
    </div>
  );
}

/** The whole widget while its own file is on its way. */
export function WidgetLoading() {
  return (
    <Card>
      <Skeleton height={28} width="60%" maw={320} mb="md" />
      <WidgetRowsLoading />
    </Card>
  );
}
