/** Proves the stores, against a real Redis where it matters; its servers and its proxy serve other rooms' tests too. */
package dev.sluice.internal.store;
