package dev.sluice.store.mongo.news;

import dev.sluice.exchange.CounterStore.News;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.Document;

/** News of one exchange as a document. */
final class NewsDocument {

    static final String ID = "_id";
    static final String AT = "at";

    private static final String SENDER = "sender";

    private NewsDocument() {}

    /** The document without its id and time; the server sets the time. */
    static Document of(String sender, Collection<News> news) {
        Document document = new Document(SENDER, sender);
        for (News.Kind kind : News.Kind.values()) {
            Set<String> keys = new HashSet<>();
            news.stream().filter(one -> one.kind() == kind).forEach(one -> keys.addAll(one.keys()));
            if (!keys.isEmpty()) {
                document.append(kind.name(), List.copyOf(keys));
            }
        }
        return document;
    }

    /** When the server stored it; 0 if unknown. */
    static long atMillis(Document found) {
        return found.get(AT) instanceof Date date ? date.toInstant().toEpochMilli() : 0;
    }

    static String sender(Document found) {
        return String.valueOf(found.get(SENDER));
    }

    /** The news, as far as they can be parsed. */
    static List<News> news(Document found) {
        List<News> news = new ArrayList<>();
        for (News.Kind kind : News.Kind.values()) {
            if (found.get(kind.name()) instanceof List<?> keys) {
                Set<String> texts = new HashSet<>();
                keys.forEach(key -> texts.add(String.valueOf(key)));
                news.add(new News(kind, texts));
            }
        }
        return news;
    }
}
