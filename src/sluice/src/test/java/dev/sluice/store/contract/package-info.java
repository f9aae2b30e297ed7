/** What every store promises, a file for each part of it; {@code CounterStoreContract} puts them together. */
package dev.sluice.store.contract;
