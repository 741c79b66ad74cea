import type { CSSProperties, ReactNode } from 'react';
import classes from './data-list.module.css';

/**
 * Labels and their values, an item each, in aligned columns: values `beside` their labels, to be read, or at the `end` of the
 * line, to be compared.
 */
export function DataList(props: {
  values: 'beside' | 'end';
  /** Of the column of labels in px, where values stand beside them. */
  labelWidth?: number;
  /** Lines between the items. */
  divided?: boolean;
  children: ReactNode;
}) {
  const { values, labelWidth = 120, divided = false, children } = props;
  return (
    <dl
      className={classes.list}
      data-values={values}
      data-divided={divided || undefined}
      style={{ '--data-list-label-width': `${labelWidth}px` } as CSSProperties}
    >
      {children}
    </dl>
  );
}

/** One label and its value. A `wide` one has the value below the label, over the whole width. */
export function DataItem(props: { label: ReactNode; wide?: boolean; testid?: string; children: ReactNode }) {
  return (
    <div className={classes.item} data-wide={props.wide || undefined}>
      <dt>{props.label}</dt>
      <dd data-testid={props.testid}>{props.children}</dd>
    </div>
  );
}
