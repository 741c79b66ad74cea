import type { EntityMetadata, EntityProperty, EntitySchema } from '@mikro-orm/core';
import type { EntityManager } from './database.ts';

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
