import { type EntityMetadata, type EntityProperty, type EntitySchema, UnderscoreNamingStrategy } from '@mikro-orm/core';
import type { EntityManager } from './database.ts';

const naming = new UnderscoreNamingStrategy();

/** The columns of an entity's row. */
export function columnNamesOf({ properties }: { readonly properties: object }): string[] {
  return Object.keys(properties).map((name) => naming.propertyToColumnName(name));
}

/**
 * SQL: the columns of an entity by their names, of the row `of`. With a `*` instead a statement fails that was prepared before a migration added
 * a column: it would return something else.
 */
export function columnsOf(entity: { readonly properties: object }, of: string): string {
  return columnNamesOf(entity)
    .map((name) => `${of}.${name}`)
    .join(', ');
}

type Reader = (row: Record<string, unknown>, entity: Record<string, unknown>) => void;

const readers = new WeakMap<EntityMetadata, readonly Reader[]>();

/**
 * What a statement of our own returned of an entity's row, with the types of the entity. Unlike `em.map` it costs little and leaves the
 * entity manager as it is: what is read again is not changed by it, and what is changed in it is not written.
 */
export function plainRow<Entity extends object>(
  em: EntityManager,
  schema: EntitySchema<Entity>,
  row: Record<string, unknown>,
): Entity {
  const metadata = em.getMetadata().get<Entity>(schema.meta.class ?? schema.name);
  const known = readers.get(metadata as EntityMetadata) ?? metadata.props.map((prop) => readerOf(em, prop));
  readers.set(metadata as EntityMetadata, known);
  const entity: Record<string, unknown> = {};
  for (const read of known) read(row, entity);
  return entity as Entity;
}

function readerOf(em: EntityManager, { name, fieldNames, customType, runtimeType }: EntityProperty): Reader {
  const platform = em.getPlatform();
  const [field] = fieldNames as [string];
  const convert = customType
    ? (value: unknown) => customType.convertToJSValue(value, platform)
    : runtimeType === 'Date'
      ? (value: unknown) => platform.parseDate(value as string)
      : (value: unknown) => value;
  return (row, entity) => {
    const value = row[field];
    entity[name] = value == null ? value : convert(value);
  };
}
