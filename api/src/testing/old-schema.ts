/** The last version of a tenant's schema before one that makes tables. */
export const OLD_SCHEMA = 8;

/** Takes from a tenant's database what newer versions of its schema have made. */
export const TO_OLD_SCHEMA = `
  drop schema apotheca_purged;
  drop table apotheca.applied_operations, apotheca.purged_tables;
  delete from apotheca.schema_version where version > ${OLD_SCHEMA}`;
