/**
 * Keys and values of filters are parts of paths, on every host and file system, and of queries. Libraries that encode forms
 * (URLSearchParams, and those of Ruby, PHP and Java) send a tilde as %7E, which is another value. This file has nothing
 * else, because workers bundle it.
 */
export const pathForm = "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$";
