package dev.sluice.internal.store.mongo.news;

import dev.sluice.cell.ExchangeNews.Told;
import dev.sluice.exchange.CounterStore.News;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Converts the news from one or more exchanges of the same sender to and from a document. */
final class NewsDocument {

    static final String ID = "_id";
    static final String AT = "at";

    private static final String SENDER = "sender";
    private static final String TO = "to";
    /** The field with the news for individual instances. */
    private static final String SINGLE = "single";

    private NewsDocument() {}

    /** Creates a document without an id and without its time. The server sets the time. */
    static Document of(String sender, Collection<Told> news) {
        Document all = new Document(SENDER, sender);
        Map<String, Document> single = new LinkedHashMap<>();
        for (Told told : news) {
            Document document = told.instance() == null
                    ? all
                    : single.computeIfAbsent(told.instance(), instance -> new Document(TO, instance));
            document.merge(told.news().kind().name(), List.copyOf(told.news().keys()), NewsDocument::joined);
        }
        return single.isEmpty() ? all : all.append(SINGLE, List.copyOf(single.values()));
    }

    private static Object joined(Object some, Object more) {
        Set<Object> all = new HashSet<>((Collection<?>) some);
        all.addAll((Collection<?>) more);
        return List.copyOf(all);
    }

    /** The time at which the server stored the document; 0 if unknown. */
    static long atMillis(Document found) {
        return found.get(AT) instanceof Date date ? date.toInstant().toEpochMilli() : 0;
    }

    static String sender(Document found) {
        return String.valueOf(found.get(SENDER));
    }

    /** The news contained in a document. Skips malformed parts. */
    static List<Told> news(Document found) {
        List<Told> news = new ArrayList<>();
        addNews(null, found, news);
        if (found.get(SINGLE) instanceof List<?> single) {
            for (Object one : single) {
                if (one instanceof Document document && document.get(TO) instanceof String instance) {
                    addNews(instance, document, news);
                }
            }
        }
        return news;
    }

    private static void addNews(@Nullable String instance, Document document, List<Told> news) {
        for (News.Kind kind : News.Kind.values()) {
            if (document.get(kind.name()) instanceof List<?> keys) {
                Set<String> texts = new HashSet<>();
                keys.forEach(key -> texts.add(String.valueOf(key)));
                news.add(new Told(instance, new News(kind, texts)));
            }
        }
    }
}
